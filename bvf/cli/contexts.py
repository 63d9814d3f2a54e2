"""``bvf contexts``: the context sets that are there, one of them, several put together, two compared."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bvf.cli.console import stdout
from bvf.cli.show import AsJson, Lang, plugins_here, print_rows, show_listing
from bvf.errors import BvfError

if TYPE_CHECKING:
    from bvf.domain.context import ContextSet
    from bvf.hooks.registry import Entry

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A context set by its name, or a file of one.")]
Names = Annotated[list[str], typer.Argument(metavar="NAME|FILE...", help="Context sets by their names, or files.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE.csv", help="The set of them all.")]
contexts = typer.Typer(
    help="List the context sets; `bvf contexts show NAME` shows one, merge and compare work on files too.",
    invoke_without_command=True,
)
TEMPLATES_SHOWN = 20


@contexts.callback()
def list_contexts(ctx: typer.Context, json_: AsJson = False) -> None:
    """List the context sets and the plugin each one comes from."""
    if ctx.invoked_subcommand is None:
        show_listing("context sets", plugins_here().contexts, json_, _summary)


@contexts.command("show")
def show_contexts(name: Name, lang: Lang = "en", json_: AsJson = False) -> None:
    """Show a context set: its source and its heaviest templates."""
    from bvf.stats.context_sets import exact

    found = _found(name, lang)
    pairs = sorted(zip(found.templates, found.counts, strict=True), key=lambda pair: -pair[1])
    if json_:
        rows = [
            {"template": template.text, "count": count, **{media.kind: media.file for media in template.media}}
            for template, count in pairs
        ]
        typer.echo(json.dumps({"name": name, "source": found.source, "templates": rows}, indent=1, ensure_ascii=False))
        return
    shown = [(exact(count), template.key) for template, count in pairs[:TEMPLATES_SHOWN]]
    rest = len(pairs) - len(shown)
    print_rows([("source", found.source), *shown, *([("", f"and {rest} more")] if rest else [])])


@contexts.command("merge", epilog="Example: bvf contexts merge books.csv web.csv -o all.csv")
def merge_contexts(names: Names, out: Out, lang: Lang = "en") -> None:
    """Put several context sets together; a template's counts are added up."""
    from bvf.files.writing import disk_errors_explained, write_text
    from bvf.stats.context_sets import as_csv, merged

    _refuse_overwriting(names, out)
    found = merged([_found(name, lang) for name in names], str(out))
    with disk_errors_explained(out, "say another --out"):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_text(out, as_csv(found, out.parent))
    stdout().print(f"{len(found.templates):,} templates of {len(names)} sets: {out}", markup=False, soft_wrap=True)


@contexts.command("compare", epilog="Example: bvf contexts compare gender my-contexts.csv")
def compare_contexts(first: Name, second: Name, lang: Lang = "en", json_: AsJson = False) -> None:
    """Compare two context sets: overlap, rank correlation, Jensen-Shannon distance."""
    from bvf.stats.context_sets import compared

    found = compared(_found(first, lang), _found(second, lang))
    if json_:
        typer.echo(json.dumps({"first": first, "second": second, **asdict(found)}, indent=1, ensure_ascii=False))
        return
    ranks = found.rank_correlation
    print_rows(
        [
            ("templates", f"{found.templates[0]:,} and {found.templates[1]:,}, {found.shared:,} in both"),
            ("weight of those", f"{found.shared_weight[0]:.1%} and {found.shared_weight[1]:.1%}"),
            ("rank correlation", "too few in both" if ranks is None else f"{ranks:.3f} (Spearman, those in both)"),
            ("distance", f"{found.jensen_shannon:.3f} (Jensen-Shannon; 0 the same, 1 nothing in common)"),
        ]
    )


def _found(choice: str, lang: str) -> "ContextSet":
    from bvf.measuring.plan import find_contexts

    return find_contexts(choice, plugins_here(), lang)


def _refuse_overwriting(names: list[str], out: Path) -> None:
    from bvf.files.parsing import is_file
    from bvf.files.sampling import record_of

    if out.suffix != ".csv":
        raise BvfError(f"--out {out}: a context set is a .csv", f"--out {out.stem or 'contexts'}.csv")
    if is_file(out) and any(is_file(Path(name)) and out.samefile(name) for name in names):
        raise BvfError(f"--out {out}: is also one of the sets that are merged", "say another --out")
    if is_file(record_of(out)):
        raise BvfError(f"--out {out}: {record_of(out).name} says of it what was mined", "say another --out")


def _summary(entry: "Entry[ContextSet]") -> str:
    found = entry.make()
    return f"{len(found.templates)} templates; {found.source}"
