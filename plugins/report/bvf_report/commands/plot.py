"""``bvf plot``: figures for papers, from what is stored."""

from pathlib import Path
from typing import Annotated

import typer

from bvf import AnalysisConfig, BvfError
from bvf.domain import FORMAT
from bvf.terminal import (
    Force,
    Given,
    Plugin,
    flag,
    merged_analysis,
    output,
    print_line,
    stdout,
    with_fields,
)
from bvf_report.commands.options import refuse_unused, split_options, with_options_of

Sources = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR...",
        help="Folders of runs; or a file of a plugin, such as the JSON of `bvf factors analyse`.",
        show_default=False,
    ),
]
KINDS = (
    "lean, heatmap, distribution, scatter, curve, variance, frames, controls and regression of one run; "
    "lean, density, scale, compare, trend and contexts of several; said of two, probable words and texts; "
    "measures of runs and answers to benchmarks; "
    "subjects, certainty and wordings of a run of knowledge, mastery and confidence of one or several; "
    "of files of plugins what these draw, such as coverage, sunburst and forest."
)
BY = (
    "The label of --kind trend, or wording; a label of two values gives pairs of runs. [default: parameters] "
    "With --kind compare: format, for the formats of a run."
)
FACTOR = (
    "A factor that a picture of a file is of, twice for two; for measures, the score. "
    "[default: the first ones; of a forest, all]"
)
SHOW = (
    "For lean of one run, heatmap, distribution and subjects: groups to show, half of them from each end of their "
    "order; for forest: levels. [default: 24]"
)
SHOW_IS_FOR = "leave --show out: it is for lean of one run, heatmap, distribution, subjects and forest"
OF_BOTH = "measures"
"""The kind of pictures of folders of runs beside files."""
COLUMNS = "1: 3.5 inches wide, 2: 7.16 inches. [default: 2 for heatmap and coverage, else 1]"


@with_fields(AnalysisConfig, as_in_run=True)
@with_options_of("bvf_pictures")
def plot(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    sources: Sources,
    kind: Annotated[str, flag("--kind", help_text=KINDS, metavar="KIND")],
    out: Annotated[Path, flag("--out", "-o", help_text="The file: its name ends in .pdf, .svg or .png.")],
    columns: Annotated[int, flag("--columns", help_text=COLUMNS, metavar="1|2")] = 0,
    show: Annotated[str, flag("--show", help_text=SHOW, metavar="N|all")] = "",
    by: Annotated[str, flag("--by", help_text=BY, metavar="LABEL")] = "",
    factor: Annotated[list[str] | None, flag("--factor", help_text=FACTOR, metavar="NAME")] = None,
    plugin: Plugin = None,
    force: Force = False,
) -> None:
    """``bvf plot``."""
    of_analysis, of_kinds = split_options(given)
    analysis = merged_analysis(of_analysis)
    from bvf import PlotRequest, load
    from bvf.drawing import caption_of, ending_of, is_figure, save
    from bvf.interfaces import ROWS_SHOWN
    from bvf.results import reported_in
    from bvf.terminal import view_of
    from bvf_report.plot.kinds import kind_of

    plugins = load(extra=plugin or ())
    if kind == OF_BOTH:
        pass
    elif any(reported_in(source, plugins) for source in sources):
        refuse_unused(given)
    elif factor:
        raise BvfError("--factor does nothing with runs", "it is for pictures of files: bvf factors analyse writes one")
    rows = view_of(None, show or str(ROWS_SHOWN)).show
    given_to = {
        name: entry.provider.name
        for entry, chosen in plugins.pictures.with_options(of_kinds)
        if chosen
        for name in chosen.model_fields_set
    }
    its_own = {name: value for name, value in of_kinds.items() if given_to[name] == kind}
    drawn = kind_of(kind, PlotRequest(sources, plugins, analysis, rows, by, tuple(factor or ())), its_own)
    ending_of(out)
    output(ctx, "--out", out, is_figure, force=force)
    if columns not in {0, 1, 2}:
        raise BvfError(f"--columns {columns}", "write 1 (3.5 inches) or 2 (7.16 inches)")
    if len(factor or ()) > 2:
        raise BvfError(f"--factor occurs {len(factor or ())} times", "a picture of pairs takes two")
    of_formats = kind == "compare" and by == FORMAT
    for option, its_kind in {**given_to, **({"by": "trend"} if by and not of_formats else {})}.items():
        if kind != its_kind:
            raise BvfError(f"--{option} does nothing with --kind {kind}", f"it is for --kind {its_kind}")
    picture, notes = drawn()
    if show and not picture.limited:
        raise BvfError(f"--show does nothing with --kind {kind}: it shows everything", SHOW_IS_FOR)
    axes = picture.draw(None, 2 if columns == 2 else 1 if columns == 1 else picture.wide)
    caption = caption_of(picture.caption(), notes)
    save(axes, out, picture.title, caption)
    stdout().print(caption, markup=False)
    print_line(str(out))
