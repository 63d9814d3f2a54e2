"""``bvf factors``: what the factors of a benchmark cover, and in which subgroups a model deviates."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.domain.numbers import Count, Finite
from bvf.errors import BvfError
from bvf.terminal.console import note
from bvf.terminal.format import Format, show_as
from bvf.terminal.options import Given, flag, with_fields
from bvf.terminal.outputs import Force
from bvf_factors.commands import benchmark
from bvf_factors.commands.options import (
    FIGURES,
    HEATMAP_HELP,
    SUNBURST_HELP,
    Chosen,
    Cluster,
    ComparedBy,
    ComparedOrder,
    Declared,
    Ecdf,
    Fewest,
    Group,
    Interactions,
    Level,
    OfFactor,
    Order,
    Out,
    Seed,
    Show,
    Sources,
    TableConfig,
    Target,
    Texts,
)
from bvf_factors.commands.scores import compare_scores, refuse_others
from bvf_factors.commands.written import check_outputs, draw, write_table

if TYPE_CHECKING:
    from bvf.domain.factors import Declaration
    from bvf_factors.reading.table import FactorColumn, Table

MODEL = "model"

factors = typer.Typer(
    help="What the prompts of a benchmark cover, for whom a model deviates from what is desired, and why.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
factors.command("run", epilog="Example: bvf factors run bbq --data BBQ/data --model gpt2 --model distilgpt2")(
    benchmark.run
)


@factors.command("coverage", epilog="Example: bvf factors coverage answers.csv --factors factors.toml")
@with_fields(TableConfig, but=["reference"])
def coverage(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: Sources,
    declared: Declared,
    factor: Chosen = None,
    empty: Annotated[bool, flag("--empty", help_text="List the combinations that have no prompt.")] = False,
    heatmap: Annotated[Path | None, flag("--heatmap", help_text=HEATMAP_HELP, panel=FIGURES, metavar="FILE")] = None,
    out: Out = None,
    force: Force = False,
    show: Show = "8",
    form: Format = "text",
) -> None:
    """Report how much of each factor, each pair of factors and all of them the prompts cover: CP and Gini."""
    from bvf_factors.covering.coverage import coverage as covering
    from bvf_factors.covering.coverage import empty_cells
    from bvf_factors.tables import coverage_sections, empty_section

    number = _number(show)
    check_outputs(ctx, out, {"--heatmap": heatmap}, force=force)
    table = _table(tables, declared, given)
    covers = covering(table, tuple(factor or ()))
    write_table(covers.to_frame(), out)
    if heatmap:
        from bvf_factors.pictures.coverage import coverage as covered

        draw(covered(*_two(table, factor, "--heatmap")), heatmap)
    sections, frame = coverage_sections(_title(table, tables), covers, number), covers.to_frame
    if empty:
        import pandas as pd

        chosen = tuple(table.factor(each.factors[0]) for each in covers.single)
        cells = empty_cells(chosen)
        sections = [empty_section(_title(table, tables), chosen, cells, number)]
        frame = partial(pd.DataFrame, cells, columns=[each.name for each in chosen])
    show_as(form, sections, covers.model_dump(mode="json"), frame)


@factors.command("subgroups", epilog="Example: bvf factors subgroups answers.csv --factors factors.toml --order 2")
@with_fields(TableConfig, but=["reference"])
def subgroups(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: Sources,
    declared: Declared,
    order: Order = 1,
    parent: Annotated[
        bool, flag("--parent", help_text="Compare within the same levels of all but the last factor.", panel="Method")
    ] = False,
    target: Target = 0.0,
    line: Annotated[
        float | None,
        flag(
            "--line", help_text="Report the share of rates above this one, such as 0.2.", number=Finite, panel="Method"
        ),
    ] = None,
    fewest: Fewest = 10,
    level: Level = 0.95,
    seed: Seed = 0,
    factor: OfFactor = None,
    ecdf: Ecdf = None,
    sunburst: Annotated[Path | None, flag("--sunburst", help_text=SUNBURST_HELP, panel=FIGURES, metavar="FILE")] = None,
    out: Out = None,
    force: Force = False,
    show: Show = "8",
    form: Format = "text",
) -> None:
    """Report for which subgroups a model deviates more or less than for others, and how far their rates are spread."""
    from bvf_factors.rates.spread import spread
    from bvf_factors.rates.subgroups import subgroups as subgroups_of
    from bvf_factors.tables import spread_section, subgroup_section

    number = _number(show)
    check_outputs(ctx, out, {"--ecdf": ecdf, "--sunburst": sunburst}, force=force)
    table = _table(tables, declared, given)
    chosen: dict[str, Any] = {"factors": factor or (), "level": level, "fewest": fewest}
    groups = subgroups_of(table, order, against="parent" if parent else "all", **chosen)
    rates = spread(table, order, target=target, line=line, seed=seed, **chosen)
    write_table(groups.to_frame(), out)
    if ecdf:
        from bvf_factors.pictures.ecdf import ecdf as steps

        draw(steps({_title(table, tables): rates.rates}, target, line), ecdf)
    if sunburst:
        from bvf_factors.pictures.sunburst import sunburst as rings

        inner, outer = _two(table, factor, "--sunburst")
        singles, pairs = (subgroups_of(table, each, level=level, fewest=fewest) for each in (1, 2))
        draw(rings(singles, pairs, inner.name, outer.name), sunburst)
    first = subgroup_section(_title(table, tables), groups, number, is_number=table.is_number)
    sections = [first, spread_section(rates)]
    value = {"subgroups": groups.model_dump(mode="json"), "spread": rates.model_dump(mode="json")}
    show_as(form, sections, value, groups.to_frame)


@factors.command("importance", epilog="Example: bvf factors importance answers.csv --factors factors.toml")
@with_fields(TableConfig)
def importance(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: Sources,
    declared: Declared,
    factor: Chosen = None,
    interaction: Interactions = None,
    level: Level = 0.95,
    forest: Annotated[
        Path | None,
        flag("--forest", help_text="Draw the coefficients and their intervals.", panel=FIGURES, metavar="FILE"),
    ] = None,
    out: Out = None,
    force: Force = False,
    show: Show = "8",
    form: Format = "text",
) -> None:
    """Report which levels make a model deviate, all other factors held: regression with errors clustered by prompt."""
    from bvf_factors.regressing.importance import importance as importance_of
    from bvf_factors.tables import importance_sections

    number = _number(show)
    check_outputs(ctx, out, {"--forest": forest}, force=force)
    table = _table(tables, declared, given)
    effects = importance_of(table, factor or None, _pairs(interaction), level=level)
    write_table(effects.to_frame(), out)
    if forest:
        from bvf_factors.pictures.forest import forest as furthest

        draw(furthest(effects), forest)
    sections = importance_sections(_title(table, tables), effects, number)
    show_as(form, sections, effects.model_dump(mode="json"), effects.to_frame)


@factors.command("design", epilog="Example: bvf factors design answers.csv --factors factors.toml --strength 2")
@with_fields(TableConfig, but=["reference"])
def design(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: Sources,
    declared: Declared,
    factor: Chosen = None,
    strength: Annotated[
        int,
        flag(
            "--strength", help_text="2 or 3: levels that must meet once. [default: all]", number=Count, panel="Method"
        ),
    ] = 0,
    out: Out = None,
    force: Force = False,
    show: Show = "8",
    form: Format = "text",
) -> None:
    """List the prompts that a full design lacks, or one in which every two or three levels meet."""
    from bvf_factors.covering.designing import missing_prompts
    from bvf_factors.tables import design_section

    number = _number(show)
    check_outputs(ctx, out, {}, force=force)
    table = _table(tables, declared, given)
    result = missing_prompts(table, tuple(factor or ()), strength)
    write_table(result.to_frame(), out, as_they_are=True)
    show_as(form, [design_section(_title(table, tables), result, number)], result.as_json(), result.to_frame)


@factors.command("compare", epilog="Example: bvf factors compare runs/bbq-gpt2 runs/bbq-distilgpt2")
@with_fields(TableConfig, but=["reference"])
def compare(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: Sources,
    declared: ComparedBy = "",
    by: Annotated[str, flag("--by", help_text="The factor to compare by. [default: model]", panel="Method")] = MODEL,
    order: ComparedOrder = None,
    factor: OfFactor = None,
    target: Target = 0.0,
    level: Level = 0.95,
    fewest: Fewest = 10,
    seed: Seed = 0,
    ecdf: Ecdf = None,
    cluster: Cluster = "",
    group: Group = None,
    out: Out = None,
    force: Force = False,
    show: Show = "8",
    form: Format = "text",
) -> None:
    """Compare models: their scores on a benchmark, or, with --factors, their rates and those of their subgroups.

    Of folders of answers that bvf factors run wrote, scores are compared: each with its interval, and the difference
    of each two models with its interval and p. With --factors, rates of deviations are compared, of tables too.
    """
    refuse_others(ctx, declared)
    number = _number(show)
    check_outputs(ctx, out, {"--ecdf": ecdf}, force=force)
    if not declared:
        chosen = TableConfig.checked(given, "options")
        compare_scores(
            *(tables, chosen.plugin),
            cluster=cluster,
            groups=group or (),
            level=level,
            show=number,
            out=out,
            form=form,
        )
        return
    from bvf_factors.benchmarks.answer_folder import refuse_other_items
    from bvf_factors.rates.comparing import compare_models
    from bvf_factors.tables import comparison_sections

    if by == MODEL:
        refuse_other_items(tables)
    table = _table(tables, declared, given, with_model=by == MODEL)
    result = compare_models(
        table, by, order, factors=factor or (), target=target, level=level, fewest=fewest, seed=seed
    )
    write_table(result.to_frame(), out)
    if ecdf:
        from bvf_factors.pictures.ecdf import ecdf as steps

        draw(steps(result.spread, target), ecdf)
    sections = comparison_sections(_title(table, tables), result)
    show_as(form, sections, result.model_dump(mode="json"), result.to_frame)


@factors.command("analyse", epilog="Example: bvf factors analyse answers.csv --factors factors.toml")
@with_fields(TableConfig)
def analyse(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    tables: Sources,
    declared: Declared,
    interaction: Interactions = None,
    level: Level = 0.95,
    seed: Seed = 0,
    show: Show = "6",
    details: Annotated[
        bool, flag("--details", help_text="Everything: coverage, subgroups, their spread, levels.")
    ] = False,
    form: Format = "text",
) -> None:
    """Report everything: coverage, subgroups of one and of two factors, their spread, and what matters."""
    from bvf_factors.overview import overview
    from bvf_factors.run import analyse_table
    from bvf_factors.tables import result_sections

    number = _number(show)
    table = _table(tables, declared, given)
    result = analyse_table(table, interactions=_pairs(interaction), level=level, seed=seed)
    shown = result_sections if details else overview
    sections = shown(_title(table, tables), result, number, is_number=table.is_number)
    show_as(form, sections, result.model_dump(mode="json", by_alias=True), result.to_frame)
    if result.importance_refused:
        note(f"no regression: {result.importance_refused}")


def _table(tables: Sequence[Path], declared: str, given: Given, *, with_model: bool = False) -> "Table":
    """The rows of all tables; ``with_model``: their model is a factor, where none of this name is declared."""
    from bvf_factors.reading.table import with_references, without
    from bvf_factors.run import read_table

    chosen = TableConfig.checked(given, "options")
    declaration = _declaration(declared, chosen.plugin)
    if with_model and MODEL not in declaration.factors:
        declaration = _with_model(declaration)
    table = read_table(
        tables,
        declaration,
        items=chosen.items or None,
        on=chosen.on,
        filters=chosen.filter,
        drop_missing=chosen.drop_missing,
    )
    for sentence in table.notes:
        note(sentence)
    dropped: dict[str, tuple[str, ...]] = {}
    for name, level in (_assigned(text, "--drop") for text in chosen.drop):
        dropped[name] = (*dropped.get(name, ()), level)
    for column, times in table.dropped.items():
        note(f'{times:,} rows left out: no value in column "{column}"')
    references = dict(_assigned(text, "--reference") for text in chosen.reference)
    return with_references(without(table, dropped) if dropped else table, references)


def _declaration(named: str, plugins: Sequence[str]) -> "Declaration":
    if named.endswith(".toml") or "/" in named:
        from bvf_factors.run import read_declaration

        return read_declaration(named)
    from bvf.domain.factors import Declaration
    from bvf.hooks.loader import load

    declaration = load(extra=plugins).benchmarks.make(named).declaration
    if not isinstance(declaration, Declaration):
        raise BvfError(f"the benchmark {named} declares no factors")
    return declaration


def _with_model(declaration: "Declaration") -> "Declaration":
    from bvf.domain.factors import Factor

    return declaration.model_copy(update={"factors": {**declaration.factors, MODEL: Factor(type="model")}})


def _assigned(text: str, option: str) -> tuple[str, str]:
    from bvf.domain.factors import value_text

    name, equals, level = text.partition("=")
    if not equals or not name.strip():
        raise BvfError(f"{option} {text}: no level is named", f"write {option} FACTOR=LEVEL")
    return name.strip(), value_text(level) or ""


def _pairs(interactions: Texts) -> tuple[tuple[str, str], ...]:
    return tuple(_pair(text) for text in interactions or ())


def _pair(text: str) -> tuple[str, str]:
    first, colon, second = text.partition(":")
    if not colon or not first.strip() or not second.strip() or first.strip() == second.strip():
        raise BvfError(f"--interaction {text}: these are not two factors", "write --interaction A:B")
    return first.strip(), second.strip()


def _number(show: str) -> int:
    from bvf.terminal.view import view_of

    return view_of(None, show).show


def _two(table: "Table", named: Texts, option: str) -> "tuple[FactorColumn, FactorColumn]":
    """The first two factors that the user named, else of the table. Refuses fewer than two."""
    names = named or [each.name for each in table.factors]
    if len(names) < 2:
        raise BvfError(f"{option} draws two factors", "name them: --factor A --factor B")
    return table.factor(names[0]), table.factor(names[1])


def _title(table: "Table", tables: Sequence[Path]) -> str:
    return table.title or ", ".join(each.name for each in tables)
