"""Reads topic files, and writes them: TOML, which the standard library only reads."""

import json
import re
from collections.abc import Mapping
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.domain.topic import Statistic, Topic, checked_topic
from bvf.files.contexts.sets import CONTEXT_ENDINGS
from bvf.files.parsing import files_below, parse_toml, read_text
from bvf.hooks.provider import Provider

LONGEST_LINE = 100
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: object) -> str:
    """Return a value as TOML: in one line, except for a long list, which is wrapped over several.

    >>> toml_value(["a", 2, True]), toml_value({"age group": 0.5})
    ('["a", 2, true]', '{ "age group" = 0.5 }')
    """
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{toml_key(key)} = {toml_value(each)}' for key, each in value.items())} }}"
    if isinstance(value, list | tuple):
        texts = [toml_value(each) for each in value]
        flat = f"[{', '.join(texts)}]"
        return flat if len(flat) <= LONGEST_LINE else "\n".join(["[", *_lines(texts), "]"])
    return _quoted(value) if isinstance(value, str) else str(value).lower()


def toml_key(text: str) -> str:
    """Return a key as TOML, in quotation marks where it needs them."""
    return text if BARE_KEY.fullmatch(text) else _quoted(text)


def _lines(texts: list[str]) -> list[str]:
    """The texts of a list as lines, each with as many texts as fit."""
    lines = [""]
    for text in texts:
        if lines[-1] and len(lines[-1]) + len(text) > LONGEST_LINE:
            lines.append("")
        lines[-1] += f" {text},"
    return [f" {line}" for line in lines]


def _quoted(text: str) -> str:
    """A text as a TOML basic string: a JSON string in which the one other character that TOML forbids is escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_topic(file: Traversable | Path | str) -> Topic:
    """Read and check a topic file. Paths in it are relative to its folder.

    Raises:
        BvfError: Not TOML (with line and column), or not a topic; the message names the file and the field.
    """
    path = Path(file) if isinstance(file, str) else file
    topic = checked_topic(parse_toml(read_text(path), str(path)), str(path))
    folder = Path(str(path)).parent
    sets = {"contexts": topic.contexts, "texts": topic.texts}
    return topic.model_copy(
        update={
            **{key: str(folder / its) if its.endswith(CONTEXT_ENDINGS) else its for key, its in sets.items()},
            "group_weights": _in_folder(topic.group_weights, folder),
            "references": _in_folder(topic.references, folder),
            "statistics": _in_folder(topic.statistics, folder),
        }
    )


def topic_text(topic: Topic) -> str:
    """Return a topic as TOML for `read_topic`. The paths of its tables are not changed."""
    raw = topic.model_dump(by_alias=True, exclude_defaults=True)
    meaning, attributes = raw.pop("measurement"), raw.pop("attributes")
    tables = {name: value for name, value in raw.items() if isinstance(value, dict)}
    lines = [f"{name} = {toml_value(value)}" for name, value in raw.items() if name not in tables]
    lines += ["", "[measurement]", *(f"{name} = {toml_value(value)}" for name, value in meaning.items())]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{toml_key(key)} = {toml_value(value)}" for key, value in table.items())]
    for attribute in attributes:
        lines += ["", "[[attributes]]", *(f"{name} = {toml_value(value)}" for name, value in attribute.items())]
    return "\n".join(lines) + "\n"


def topics_in(folder: Traversable, language: str) -> list[Provider[Topic]]:
    """Return a provider for each topic file (``*.toml``) below ``folder``.

    The provider is named by the path of the file without ending, and the file is parsed when the topic is used.
    """
    return [
        Provider(name, partial(read_topic, file), language=language)
        for name, _, file in files_below(folder, (".toml",))
    ]


def _in_folder(tables: Mapping[str, Statistic], folder: Path) -> dict[str, Statistic]:
    """The tables with the whole paths of their files, which are relative to a folder."""
    paths = {name: str((folder / table.file).absolute()) for name, table in tables.items()}
    return {name: table.model_copy(update={"file": paths[name]}) for name, table in tables.items()}
