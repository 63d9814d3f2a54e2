"""``bvf contexts``: list sets, show one, merge, add placebo variants or frames, compare two, export one."""

from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli.listing import About, Lang, fact_section, plugins_here, show_listing
from bvf.errors import BvfError
from bvf.interfaces.section import Section
from bvf.tables.words import counted
from bvf.terminal.console import note, print_line
from bvf.terminal.format import Format, show_as
from bvf.terminal.options import flag
from bvf.terminal.outputs import Force, output

if TYPE_CHECKING:
    from bvf.domain.context import ContextSet
    from bvf.hooks.registry import Entry

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A context set by its name, or a file of one.")]
Names = Annotated[list[str], typer.Argument(metavar="NAME|FILE...", help="Context sets by their names, or files.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE.csv", help="The set of them all.")]
Folder = Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="The folder of the data set.")]
Licence = Annotated[
    str,
    typer.Option(
        "--licence", "--license", metavar="ID", help="SPDX identifier of its licence, if the set states none."
    ),
]
Citation = Annotated[
    str, typer.Option("--citation", metavar="TEXT", help="How to cite it, if the set does not state it.")
]
Framed = Annotated[Path, typer.Option("--out", "-o", metavar="FILE.csv", help="The set of all combinations.")]
Placebo = Annotated[Path, typer.Option("--out", "-o", metavar="FILE.csv", help="The set with variants.")]
By = Annotated[
    list[str],
    flag(
        "--by",
        help_text="A frame by its name, or with levels of your own: year, place=none,Texas. Several are crossed.",
        metavar="FRAME[=LEVEL,...]",
    ),
]
Frames = Annotated[
    Path | None, flag("--frames", help_text="Frames of your own in place of the language's.", metavar="FILE.toml")
]
Formats = Annotated[
    Path | None, flag("--formats", help_text="Formats of your own, for --by format.", metavar="FILE.toml")
]
Pictures = Annotated[
    Path | None, flag("--pictures", help_text="The folder of the pictures, for --by picture.", metavar="FOLDER")
]
Sample = Annotated[
    int | None,
    flag(
        "--sample-contexts",
        help_text="Draw N templates by weight; 0: all. [default: as many as bvf run draws]",
        metavar="N",
    ),
]
contexts = typer.Typer(invoke_without_command=True)
TEMPLATES_SHOWN = 20


@contexts.callback()
def list_contexts(ctx: typer.Context, form: Format = "text") -> None:
    """List the context sets and the plugin each one comes from."""
    if ctx.invoked_subcommand is None:
        show_listing("context sets", plugins_here().contexts, form, _about)


@contexts.command("show")
def show_contexts(name: Name, lang: Lang = "en", form: Format = "text") -> None:
    """Show a context set: its source, how the counts sample it, how to cite it, and its heaviest templates."""
    from bvf.files.contexts.sets import Citation
    from bvf.stats.figures.context_sets import exact

    chosen = _found(name, lang)
    order = sorted(range(len(chosen.counts)), key=lambda place: -chosen.counts[place])
    shown = chosen.only(order[:TEMPLATES_SHOWN] if form == "text" else order)
    pairs, citation = list(zip(shown.templates, shown.counts, strict=True)), Citation.of(chosen)
    rows: list[dict[str, Any]] = [
        {
            "template": template.text,
            "count": count,
            **{media.kind: media.file for media in template.media},
            **(template.chat.columns if template.chat else {}),
        }
        for template, count in pairs
    ]
    rest = len(order) - TEMPLATES_SHOWN
    section = Section(
        f"{name}: {counted(len(order), 'template')}",
        ("count", "template"),
        [(exact(count), template.key) for template, count in pairs[:TEMPLATES_SHOWN]],
        names=0,
        subtitle=[
            f"source: {chosen.source}",
            f"sample: {chosen.sample_in_words}",
            f"licence: {chosen.card.licence or 'not stated'}",
            f"cite as: {citation.text}",
        ],
        notes=[f"and {rest:,} more"] if rest > 0 else [],
        last="text",
    )
    value = {
        "name": name,
        "source": chosen.source,
        "sample": chosen.sample_facts,
        "digest": citation.digest,
        "card": {**asdict(chosen.card), "citation": citation.text},
        "templates": rows,
    }
    show_as(form, [section], value, [{**row, "count": exact(row["count"])} for row in rows])


@contexts.command("merge", epilog="Example: bvf contexts merge books.csv web.csv -o all.csv")
def merge_contexts(ctx: typer.Context, names: Names, out: Out, lang: Lang = "en", force: Force = False) -> None:
    """Put several context sets together; a template's counts are added up, and so are its replicates."""
    from bvf.stats.figures.context_sets import merged

    _check_output(ctx, names, out, force=force)
    sets = [_found(name, lang) for name in names]
    together = merged(sets, str(out))
    _write(together, names, out)
    if remark := _lost(names, sets, together):
        note(remark)
    print_line(f"{len(together.templates):,} templates of {len(names)} sets: {out}")


@contexts.command("placebo", epilog="Example: bvf contexts placebo gender -o placebo.csv")
def placebo_contexts(ctx: typer.Context, name: Name, out: Placebo, lang: Lang = "en", force: Force = False) -> None:
    """Write each template with variants that should not matter: a full stop, another year, "that" in place of "the".

    `bvf explain` on a run with these contexts says how much of the volatility such changes account for.
    """
    from bvf.domain.variants.placebo import placebo_set

    _check_output(ctx, [name], out, force=force)
    varied = placebo_set(_found(name, lang), plugins_here().languages.find(lang).make().harmless)
    _write(varied, [name], out)
    swaps = Counter(row["placebo"] for row in varied.details)
    variants = ", ".join(f"{number:,} {swap}" for swap, number in swaps.items() if swap)
    print_line(f"{swaps['']:,} templates and their variants ({variants}): {out}")


@contexts.command("frame", epilog="Example: bvf contexts frame gender --by year=1990,2030 --by place -o framed.csv")
def frame_contexts(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    name: Name,
    by: By,
    out: Framed,
    frames: Frames = None,
    formats: Formats = None,
    pictures: Pictures = None,
    sample_contexts: Sample = None,
    lang: Lang = "en",
    force: Force = False,
) -> None:
    """Write each template in each combination of frames: a year, a place, a format of the request, a picture.

    `bvf explain` on a run with these contexts says what each frame changes, template by template.
    """
    from bvf.domain.variants.formats import FORMAT
    from bvf.domain.variants.formats import Formats as AllFormats
    from bvf.domain.variants.frames import PICTURE, chosen_frames, framed_set
    from bvf.domain.variants.frames import Pictures as AllPictures
    from bvf.files.contexts.frames import read_formats, read_frames
    from bvf.files.pictures import more_than_seen, pictures_in

    _check_output(ctx, [name], out, force=force)
    language = plugins_here().languages.find(lang).make()
    known = language.frames() if frames is None else read_frames(frames)
    wordings = language.formats() if formats is None else read_formats(formats)
    if (pictures is not None) != any(each.partition("=")[0] == PICTURE for each in by):
        raise BvfError(f"--by {PICTURE} and --pictures go together", "give --by picture --pictures FOLDER")
    shown = {} if pictures is None else {PICTURE: AllPictures(pictures_in(pictures))}
    chosen = chosen_frames(by, {**known, FORMAT: AllFormats(wordings), **shown})
    framed = framed_set(_drawn(_found(name, lang), sample_contexts), chosen, language.inside)
    _write(framed, [name], out)
    if more := more_than_seen(media for each in framed.templates for media in each.media):
        note(f"{more}: a picture may hold more than is seen, such as its place; `bvf contexts export` leaves it out")
    of_frames = ", ".join(f"{frame} ({', '.join(known.levels)})" for frame, known in chosen.items())
    print_line(f"{len(framed.templates):,} contexts by {of_frames}: {out}")


@contexts.command("compare", epilog="Example: bvf contexts compare gender my-contexts.csv")
def compare_contexts(first: Name, second: Name, lang: Lang = "en", form: Format = "text") -> None:
    """Compare two context sets: overlap, rank correlation, distance, and the heaviest templates of each alone."""
    from bvf.stats.figures.context_sets import compared

    comparison = compared(_found(first, lang), _found(second, lang))
    ranks = comparison.rank_correlation
    facts = [
        ("templates", f"{comparison.templates[0]:,} and {comparison.templates[1]:,}, {comparison.shared:,} in both"),
        ("weight of those", f"{comparison.shared_weight[0]:.1%} and {comparison.shared_weight[1]:.1%}"),
        ("rank correlation", "too few in both" if ranks is None else f"{ranks:.3f} (Spearman, those in both)"),
        ("distance", f"{comparison.jensen_shannon:.3f} (Jensen-Shannon; 0 the same, 1 nothing in common)"),
        *(
            (f"only in {name}", text)
            for name, texts in zip((first, second), comparison.alone, strict=True)
            for text in texts
        ),
    ]
    section = fact_section(f"{first} and {second}", facts)
    show_as(form, [section], {"first": first, "second": second, **asdict(comparison)})


@contexts.command("export", epilog="Example: bvf contexts export gender-all -o gender-all-data")
def export_contexts(
    name: Name, out: Folder, licence: Licence = "", citation: Citation = "", lang: Lang = "en", force: Force = False
) -> None:
    """Write a context set as a data set that can be cited: Parquet, a data card, Croissant metadata, licence, citation.

    The table in the folder is a context set: `bvf run --contexts` and all commands for context sets read it.
    """
    import bvf
    from bvf.files.contexts.origins import checked_licence
    from bvf.files.writing import check_folder

    licence = checked_licence(licence, "--licence") if licence else ""
    check_folder("--out", out, force=force)
    chosen = _found(name, lang)
    if Path(name).is_file() and out.is_dir() and Path(name).parent.samefile(out):
        raise BvfError(f"--out {out}: is the folder of {name}, which is read", "choose another --out")
    for option, given in (("licence", licence), ("citation", citation)):
        if given and (known := getattr(chosen.card, option)) not in ("", given):
            raise BvfError(f'--{option} "{given}": {name} states "{known}"', f"leave --{option} out")
    card = replace(chosen.card, licence=licence or chosen.card.licence, citation=citation or chosen.card.citation)
    table = bvf.export.write_contexts_dataset(replace(chosen, card=card), out, lang)
    shown = {media.digest: media.file for each in chosen.templates for media in each.media}
    kept = {media.digest for each in (bvf.read_contexts(table).templates if shown else ()) for media in each.media}
    if changed := ", ".join(file for digest, file in shown.items() if digest not in kept):
        left_out = f"what is not seen of {changed}, such as places and texts, is left out"
        note(f"{left_out}; their digests are others: runs of the published set are those with --contexts {table}")
    print_line(f"{counted(len(chosen.templates), 'template')} ({card.language or lang}), {card.licence}: {table}")


def _drawn(source: "ContextSet", number: int | None) -> "ContextSet":
    """The set with templates drawn by weight, each counted as often as it was drawn."""
    from bvf.domain.numbers import Count, checked_number
    from bvf.measuring.contexts import DRAWN

    if number is None:
        number = DRAWN if len(source.templates) > DRAWN and not source.sampling.written else 0
    if not checked_number(number, Count, "--sample-contexts"):
        return source
    source.refuse_draws(f"--sample-contexts {number}")
    return source.counting_draws(number, 0)


def _found(choice: str, lang: str) -> "ContextSet":
    from bvf.measuring.contexts import find_contexts

    return find_contexts(choice, plugins_here(), lang)


def _write(written: "ContextSet", names: list[str], out: Path) -> None:
    """Write a context set and the record of its counts. Replicates of an earlier file of the same name are deleted."""
    import numpy as np

    from bvf.files.contexts.replicates import Replicates
    from bvf.files.contexts.sampling import merging_record, merging_record_of, replicates_of
    from bvf.files.contexts.sets import leads_into
    from bvf.files.folder import CONTEXTS, Folder
    from bvf.files.writing import disk_errors_explained, write_text
    from bvf.stats.figures.context_sets import as_csv

    sampling, beside, replicates = written.sampling, Folder(out.parent, CONTEXTS), replicates_of(out).name
    for media in (media for template in written.templates for media in template.media):
        if not leads_into(Path(media.file), out.parent):
            raise BvfError(
                f"--out {out}: the {media.kind} {media.file} would be outside its folder",
                "choose an --out in a folder that holds all of them",
            )
    with disk_errors_explained(out, "choose another --out"):
        out.parent.mkdir(parents=True, exist_ok=True)
        beside.write(merging_record_of(out).name, merging_record(names, written))
        if sampling.replicates is None:
            beside.delete(replicates)
        else:
            texts = tuple(template.key for template in written.templates)
            with beside.replacing(replicates) as file:
                Replicates(texts, np.array(written.counts), sampling.replicates).write(file)
        write_text(out, as_csv(written, out.parent))


def _lost(names: list[str], sets: "list[ContextSet]", together: "ContextSet") -> str:
    """A sentence on information that some context sets have and the merged set lacks; empty if nothing is lost."""
    written = [name for name, one in zip(names, sets, strict=True) if one.sampling.written]
    if together.sampling.written and len(written) < len(sets):
        return f"{', '.join(written)}: the counts were chosen, so the merged set is a sample of nothing"
    lacking = [name for name, one in zip(names, sets, strict=True) if one.sampling.replicates is None]
    if together.sampling.replicates is None and len(lacking) < len(sets):
        return f"{', '.join(lacking) or 'not as many in all sets'}: no replicates, so the merged set has none"
    return ""


def _check_output(ctx: typer.Context, names: list[str], out: Path, *, force: bool) -> None:
    """Refuse a file that must not be written: the set, the record beside it, or its replicates."""
    from bvf.files.contexts.origins import refuse_stated
    from bvf.files.contexts.replicates import Replicates
    from bvf.files.contexts.sampling import (
        is_merging_record,
        is_written_set,
        merging_record_of,
        record_of,
        replicates_of,
    )
    from bvf.files.parsing import is_file

    if out.suffix != ".csv":
        raise BvfError(f"--out {out}: a context set is a .csv", f"--out {out.stem or 'contexts'}.csv")
    if is_file(record_of(out)):
        raise BvfError(f"--out {out}: {record_of(out).name} says of it what was mined", "choose another --out")
    refuse_stated("--out", out)
    beside = [file for name in map(Path, names) for file in (merging_record_of(name), replicates_of(name))]
    read = [(f"{file}, which is read", file) for file in beside if is_file(file)]
    output(ctx, "--out", out, is_written_set, force=force, others=read)
    for file, is_ours in ((merging_record_of(out), is_merging_record), (replicates_of(out), Replicates.are_in)):
        output(ctx, "--out", file, is_ours, force=force, others=read)


def _about(entry: "Entry[ContextSet]") -> About:
    chosen = entry.described() or entry.make()
    return About(chosen.source, {"size": len(chosen.templates)})
