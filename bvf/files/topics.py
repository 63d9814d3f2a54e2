"""Topic files."""

from collections.abc import Iterator
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.domain.topic import Statistic, Topic, checked_topic
from bvf.files.parsing import TABLE_ENDINGS, parse_toml, read_text
from bvf.hooks.provider import Provider


def read_topic(file: Traversable | Path | str) -> Topic:
    """Read and check a topic file; the files that it names are those beside it.

    Raises:
        BvfError: Not TOML (with line and column), or not a topic; names the file and the field.
    """
    path = Path(file) if isinstance(file, str) else file
    topic = checked_topic(parse_toml(read_text(path), str(path)), str(path))
    folder = Path(str(path)).parent
    is_table = topic.contexts.endswith(TABLE_ENDINGS)
    return topic.model_copy(
        update={
            "contexts": str(folder / topic.contexts) if is_table else topic.contexts,
            "group_weights": {name: _found(table, folder) for name, table in topic.group_weights.items()},
            "references": {name: _found(table, folder) for name, table in topic.references.items()},
        }
    )


def topics_in(folder: Traversable, language: str) -> list[Provider[Topic]]:
    """Offer every ``*.toml`` below ``folder`` under its path without the ending; parsed when used."""
    return [Provider(name, partial(read_topic, file), language=language) for name, file in _files(folder, "")]


def _found(table: Statistic, folder: Path) -> Statistic:
    return table.model_copy(update={"file": str((folder / table.file).absolute())})


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".toml"):
            yield prefix + entry.name.removesuffix(".toml"), entry
