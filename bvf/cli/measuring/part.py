"""``bvf run --part``: print which shards (blocks of prompts) of runs are stored, and which parts are missing."""

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bvf.cli.output import kept_in
from bvf.domain.part import listed
from bvf.interfaces.section import Section
from bvf.running.config import RunConfig
from bvf.study.config import AnalysisConfig
from bvf.terminal.console import print_line
from bvf.terminal.format import FormatName, show_as

if TYPE_CHECKING:
    from bvf.measuring.parts import Inventory


def show_parts(parts: "Sequence[Inventory]", config: RunConfig, form: FormatName) -> None:
    """Print how many shards are stored, which parts of the run are missing, and the command that finishes it."""
    objects = [_as_json(part) for part in parts]
    command = ["bvf", "merge", *(str(part.folder) for part in parts), *_arguments(config)]
    last = f"{'when all are there' if any(part.missing for part in parts) else 'next'}: {shlex.join(command)}"
    with kept_in([part.folder for part in parts]):
        if form == "text":
            for line in (*map(_line, parts), last):
                print_line(line)
        else:
            show_as(form, [_table(objects)], objects[0] if len(objects) == 1 else objects)


def _line(part: "Inventory") -> str:
    there = part.shards - len(part.missing)
    if not part.missing:
        return f"{part.folder}: part {part.part} is done; shards: all {part.shards:,} are there"
    done = "is done" if part.part.number <= part.shards else "has no shard, as there are more parts than shards"
    missing = f"missing: {part.part.named(part.missing_parts)}"
    return f"{part.folder}: part {part.part} {done}; shards: {there:,} of {part.shards:,} are there; {missing}"


def _arguments(config: RunConfig) -> list[str]:
    """The command-line arguments that repeat the user's analysis settings and choice of plugins."""
    from bvf.results.compatible import options_of

    chosen = {name: getattr(config, name) for name in AnalysisConfig.model_fields if name != "words"}
    changed = {name: value for name, value in chosen.items() if value != AnalysisConfig.model_fields[name].default}
    return options_of({**changed, "plugin": config.plugin, "without": config.without})


def _as_json(part: "Inventory") -> dict[str, Any]:
    return {
        "schema": "bvf.part/1",
        "folder": str(part.folder),
        "part": str(part.part),
        "shards": part.shards,
        "stored": part.shards - len(part.missing),
        "missing_parts": part.missing_parts,
    }


def _table(objects: Sequence[Mapping[str, Any]]) -> Section:
    columns = ("folder", "part", "stored", "shards")
    rows = [(*(str(each[name]) for name in columns), listed(each["missing_parts"])) for each in objects]
    return Section("parts", (*columns, "missing parts"), rows, names=2, last="text")
