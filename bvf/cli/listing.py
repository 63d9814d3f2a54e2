"""The table of all listings: each entry, its plugin and a summary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.errors import BvfError, in_one_line
from bvf.interfaces.section import Section
from bvf.terminal.format import FormatName, show_as

if TYPE_CHECKING:
    from bvf.hooks.loader import Plugins
    from bvf.hooks.registry import Entry, Registry

Lang = Annotated[str, typer.Option("--lang", help="Language of the topic or context set.")]


@dataclass(frozen=True)
class About:
    """What a listing shows of an entry: its summary, and the numbers in further columns by column name."""

    summary: str
    counts: Mapping[str, int] = field(default_factory=dict)


Describe = Callable[["Entry[Any]"], About]


def show_listing(title: str, registry: "Registry[Any]", form: FormatName, about: "Describe | None" = None) -> None:
    """Print a line per entry: name, language, plugin and summary. ``about`` gives a summary to entries without one."""
    section, rows = listing(title, registry, about)
    show_as(form, [section], rows)


def listing(
    title: str, registry: "Registry[Any]", about: "Describe | None" = None
) -> tuple[Section, list[dict[str, Any]]]:
    """Return the table that `show_listing` prints, and also its rows for JSON."""
    lines = [_line(entry, about) for entry in registry]
    languages = any(line["language"] for line, _ in lines)
    counted = {name: None for _, counts in lines for name in counts}
    rows = [
        (
            line["name"],
            *([line["language"]] if languages else []),
            line["plugin"],
            *(f"{counts[name]:,}" if name in counts else "" for name in counted),
            "not usable, see below" if line["usable"] else line["summary"],
        )
        for line, counts in lines
    ]
    columns = ("name", *(["lang"] if languages else []), "plugin", *counted, "what")
    notes = [f"{line['name']}: {line['usable']}" for line, _ in lines if line["usable"]]
    section = Section(title, columns, rows, names=2 + languages, notes=notes, last="line")
    return section, [{**line, **dict.fromkeys(counted), **counts} for line, counts in lines]


def _line(entry: "Entry[Any]", about: "Describe | None") -> tuple[dict[str, str], Mapping[str, int]]:
    """The row of an entry in JSON, and also its numbers for further columns, by column name."""
    provider, owner, missing = entry.provider, entry.owner, entry.missing_modules
    description, problem = About(provider.summary), f"not usable: {missing[0][1]}" if missing else ""
    if about and not missing and not provider.summary:
        try:
            description = about(entry)
        except BvfError as error:
            problem = f"broken: {in_one_line(error.message)}"
    line = {
        "name": provider.name,
        "language": provider.language,
        "summary": description.summary,
        "plugin": owner.plugin,
        "version": owner.version,
        "usable": problem,
    }
    return line, description.counts


def option_rows(letter: str, options: type[Any] | None) -> list[tuple[str, str]]:
    """Return each option of a plugin's part as it is written, ``-B KEY=DEFAULT``, and what it does."""
    return [
        (f"-{letter} {name}={_as_written(field.default)}", field.description or "")
        for name, field in ({} if options is None else options.model_fields).items()
    ]


def _as_written(default: Any) -> str:
    return "" if default is None else str(default).lower() if isinstance(default, bool) else str(default)


def fact_section(title: str, facts: Sequence[tuple[str, str]]) -> Section:
    """Return a table of names and facts."""
    return Section(title, ("what", "is"), facts, last="text")


def plugins_here() -> "Plugins":
    """Return the installed plugins."""
    from bvf.hooks.loader import load

    return load()
