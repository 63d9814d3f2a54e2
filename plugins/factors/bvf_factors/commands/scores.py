"""``bvf factors compare`` of folders of answers: the scores of models on one benchmark, and their differences."""

from collections.abc import Collection, Sequence
from pathlib import Path

import typer

from bvf.errors import BvfError
from bvf.terminal.format import FormatName, show_found
from bvf_factors.commands.written import write_table

OF_BOTH = ("tables", "level", "out", "force", "form", "plugin")
OF_SCORES = ("cluster", "group", "show")


def refuse_others(ctx: typer.Context, declared: str) -> None:
    """Raise `BvfError` for an option of rates where scores are compared, or of scores where rates are."""
    chosen = _set_by_user(ctx, [each for each in ctx.params if each not in OF_BOTH])
    if declared:
        wrong, hint = [each for each in chosen if each in OF_SCORES], "leave --factors out, and name folders of answers"
        what = "scores, and --factors compares rates"
    else:
        wrong, hint = [each for each in chosen if each not in OF_SCORES], "give --factors FILE|NAME, too"
        what = "rates, and without --factors scores are compared"
    if wrong:
        option = next(each.opts[0] for each in ctx.command.params if each.name == wrong[0])
        raise BvfError(f"{option}: is an option of {what}", hint)


def _set_by_user(ctx: typer.Context, names: Collection[str]) -> list[str]:
    sources = {name: ctx.get_parameter_source(name) for name in names}
    return [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]


def compare_scores(  # noqa: PLR0913 - what a user may choose
    folders: Sequence[Path],
    plugins: Sequence[str],
    *,
    cluster: str,
    groups: Sequence[str],
    level: float,
    show: int,
    out: Path | None,
    form: FormatName,
) -> None:
    """Print the scores of models whose answers are stored, with the difference of each two."""
    from bvf.hooks.loader import load
    from bvf_factors.benchmarks.scored import benchmark_scores
    from bvf_factors.benchmarks.stored import answers_to_compare
    from bvf_factors.benchmarks.tables import score_sections

    models = answers_to_compare(folders, load(extra=plugins))
    scores = benchmark_scores(models, cluster=cluster, level=level, groups=groups)
    write_table(scores.to_frame(), out)
    show_found(form, score_sections(scores, show), scores)
