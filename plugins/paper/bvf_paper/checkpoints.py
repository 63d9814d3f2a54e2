"""The models of the paper on the hub, and the configuration of a run that asks them what the paper asked."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from pydantic import Field

from bvf import BvfError
from bvf.domain import Record, last_part
from bvf.files import parse_toml, read_text, toml_value
from bvf_paper.tables import PRINTED, Part, PrintedTable

RELEASED = ("released:a", "released:b")
"""The criteria of the code that the authors released."""


class Checkpoint(Record):
    """A model of the paper, and the checkpoint on the hub that fits what the paper prints of it."""

    printed: str = Field(description="Its name and size in the paper")
    path: str = Field(description="What --model says")
    names: tuple[str, ...] = Field((), description="Other names of the same checkpoint")
    revision: str = Field("", description="A commit with these weights; empty: none is known")
    settings: dict[str, bool] = Field({}, description="What bvf needs to read it")
    doubt: str = Field("", description="What else would fit; empty: nothing else of this size")


@cache
def checkpoints() -> Mapping[str, Checkpoint]:
    """Return the checkpoints of the paper's models, by `key_of` their names."""
    entries = parse_toml(read_text(PRINTED / "checkpoints.toml"), "checkpoints.toml")
    return {key: Checkpoint(**entry) for key, entry in entries.items()}


def key_of(name: str) -> str:
    """Return the name of a model without capitals and signs, as tables of one paper write it in several ways.

    >>> key_of("GPT-2"), key_of("GPT2"), key_of("LLaMA2")
    ('gpt2', 'gpt2', 'llama2')
    """
    return "".join(filter(str.isalnum, name.casefold()))


def printed_name(path: str, name: str, table: PrintedTable) -> str:
    """Return the printed name of a run's model; empty if the table has no row of it.

    Args:
        path: What ``--model`` said.
        name: The name of the run's model.
        table: The table.
    """
    known = {key_of(model): model for model in table.models}
    if key_of(name) in known:
        return known[key_of(name)]
    wanted = last_part(path).casefold()
    for key, checkpoint in checkpoints().items():
        names = {last_part(each).casefold() for each in (checkpoint.path, *checkpoint.names)}
        if key in known and wanted in names:
            return known[key]
    return ""


def config_of(table: PrintedTable) -> str:
    """Return a ``run.toml`` that asks the models of a table what the paper asked.

    Raises:
        BvfError: The table is not of one topic and one context set, or its checkpoints are not known.
    """
    parts = [part for part in table.parts if part.contexts]
    known = [(model, checkpoints()[key_of(model)]) for model in table.models if key_of(model) in checkpoints()]
    if len(parts) != 1 or len(table.parts) != 1 or not known:
        raise BvfError(f"--config: {table.name} is not of one topic, one context set and known models", _instead(parts))
    return "\n".join([*_head(table, parts[0]), *(line for each in known for line in _model(*each))]) + "\n"


def _instead(parts: Sequence[Part]) -> str:
    """What to do for a table without a configuration."""
    commands = [f"bvf run --model MODEL --topic {part.topics[0]} --contexts {part.contexts}" for part in parts]
    return "; ".join(commands) or "--config is for table1 and table2"


def _head(table: PrintedTable, part: Part) -> Iterator[str]:
    out = f"runs/{table.name}"
    criteria = "; ".join(f"bvf paper {table.name} {out} --criterion {criterion}" for criterion in RELEASED)
    settings = {
        "topic": part.topics[0],
        "lang": part.language,
        "contexts": part.contexts,
        "sample_contexts": 0,
        "criterion": "linf",
        "scale": "unit",
        "reference": "uniform",
        "group_weights": "uniform",
        "out": out,
    }
    yield f"# {table.label} of {table.paper.authors}, {table.paper.published}: {table.title}."
    yield f"# bvf run --config FILE, then bvf paper {table.name} {out}"
    yield f"# The released code has two criteria more, which ask no model again: {criteria}"
    yield from (f"# {sentence}" for sentence in table.expected)
    yield from (f"{name} = {toml_value(value)}" for name, value in settings.items())


def _model(name: str, checkpoint: Checkpoint) -> Iterator[str]:
    yield ""
    yield f"# {checkpoint.printed}" + (f": {checkpoint.doubt}" if checkpoint.doubt else "")
    if not checkpoint.revision:
        yield "# No revision is known. Write one, so that others can repeat the run."
    yield "[[model]]"
    settings = {"path": checkpoint.path, "name": name, "revision": checkpoint.revision, **checkpoint.settings}
    yield from (f"{key} = {toml_value(value)}" for key, value in settings.items() if value)
