"""``bvf factors``: a benchmark that is asked, what its factors cover, and in which subgroups a model deviates."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from bvf import BvfError, RunConfig
from bvf.domain import Count
from bvf.terminal import (
    Force,
    Format,
    Given,
    Quiet,
    configs_of_models,
    flag,
    note,
    progress_bar,
    show_as,
    show_found,
    with_fields,
)
from bvf_factors.commands import options
from bvf_factors.commands.options import MODEL, Task, pairs_in, table_in, title_of, two_factors

FIELDS = (
    *("model", "name", "backend", "device", "dtype", "revision", "trust_remote_code", "batch_tokens", "engine"),
    *("chat_template", "chat_turn", "user", "system", "chat_variable"),
    *("samples", "tokens", "temperature"),
    *("seed", "threads", "backend_options", "engine_options", "plugin", "without", "out"),
)
DATA_HELP = "Folder or file of its items, as published. [default: a few examples that come with bvf]"
ANSWERS_HELP = "A file of published answers of one model, in place of a model. Can be repeated."
BY_HELP = (
    "The score of a choice: its log-probability (sum), that per token or byte, that of its letter, or what the "
    "question adds to it (pmi). [default: as the authors do]"
)
ENCODING_HELP = "Of --data and --answers: cp1252, utf-16, ... [default: utf-8]"
LIMIT_HELP = "Ask the first N items alone, to try a command; they are not a sample."
ORDERS_HELP = "List the choices in every order, or in one drawn for each item. [default: as in the data]"
WAYS = "sum|tokens|bytes|letters|pmi"
WORDINGS_HELP = "A file with a wording per line: scores get a spread over wordings."
OF_BOTH = ("tables", "level", "out", "force", "form", "plugin")
OF_SCORES = ("cluster", "group", "show")
"""Options of ``compare`` that scores and rates have, and that scores alone have."""

factors = typer.Typer(
    help="What the prompts of a benchmark cover, for whom a model deviates from what is desired, and why.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@factors.command("run", epilog="Example: bvf factors run bbq --data BBQ/data --model gpt2 --model distilgpt2")
@with_fields(RunConfig, only=FIELDS)
def run(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="See `bvf benchmarks`.", show_default=False)],
    data: Annotated[Path | None, flag("--data", help_text=DATA_HELP, panel="What", metavar="DIR|FILE")] = None,
    answers: Annotated[list[Path] | None, flag("--answers", help_text=ANSWERS_HELP, panel="What")] = None,
    encoding: Annotated[str, flag("--encoding", help_text=ENCODING_HELP, panel="What", metavar="NAME")] = "",
    by: Annotated[str | None, flag("--by", help_text=BY_HELP, panel="What", metavar=WAYS)] = None,
    orders: Annotated[str, flag("--orders", help_text=ORDERS_HELP, panel="What", metavar="all|random")] = "",
    wordings: Annotated[Path | None, flag("--wordings", help_text=WORDINGS_HELP, panel="What", metavar="FILE")] = None,
    limit_items: Annotated[
        int, flag("--limit-items", help_text=LIMIT_HELP, number=Count, panel="What", metavar="N")
    ] = 0,
    cluster: options.Cluster = "",
    group: options.Group = None,
    level: options.Level = 0.95,
    show: options.Show = "8",
    form: Format = "text",
    quiet: Quiet = False,
) -> None:
    """Put a published benchmark, or your own sentences, to models, and compute scores; what is finished is kept."""
    from bvf import load
    from bvf.terminal import view_of
    from bvf_factors.benchmarks.asking import BenchmarkConfig, read_asked
    from bvf_factors.benchmarks.benchmarking import published_answers, run_benchmark
    from bvf_factors.benchmarks.scored import benchmark_scores, clusters_of, groups_of
    from bvf_factors.benchmarks.tables import score_sections

    number = view_of(None, show).show
    if answers and "model" in given:
        raise BvfError("--answers and --model: published answers take the place of a model's", "give one of them")
    configs = configs_of_models(given)
    plugins = load(extra=configs[0].plugin, without=configs[0].without)
    published = tuple(answers or ())
    chosen = [
        BenchmarkConfig(benchmark, data, each, by, wordings, limit_items, each.out, published, encoding, orders)
        for each in configs
    ]
    asked, scored = read_asked(chosen[0], plugins), []
    clusters_of(asked, cluster)
    groups_of(asked, group or ())
    for each, config in zip(configs, chosen, strict=True):
        if answers:
            scored.append(published_answers(config, plugins, asked))
            continue
        title = f"{benchmark} {each.name or each.model}".strip()
        with progress_bar(title, quiet or form == "json", "answers") as report:
            report(0, 0, 0, "reading the model's files")
            scored.append(run_benchmark(config, plugins, report, asked))
    scores = benchmark_scores(scored, cluster=cluster, level=level, groups=group or ())
    show_as(form, score_sections(scores, number), scores.model_dump(mode="json", by_alias=True), scores.to_frame)
    for answered in scored:
        note(f"answers in {answered.folder}; bvf factors analyse {answered.folder} --factors {benchmark}")


@factors.command("coverage", epilog="Example: bvf factors coverage answers.csv --factors factors.toml")
@with_fields(options.TableConfig, but=["reference"])
def coverage(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: options.Sources,
    declared: options.Declared,
    factor: options.Chosen = None,
    empty: options.Empty = False,
    heatmap: options.Heatmap = None,
    out: options.Out = None,
    force: Force = False,
    show: options.Show = "8",
    form: Format = "text",
) -> None:
    """Report how much of each factor, each pair of factors and all of them the prompts cover: CP and Gini."""
    from bvf_factors.covering import coverage as covering
    from bvf_factors.covering import empty_cells
    from bvf_factors.tables import coverage_sections, empty_section

    task = Task(ctx, show, out, {"--heatmap": heatmap}, force=force)
    table = table_in(tables, declared, given)
    covers, title = covering(table, tuple(factor or ())), title_of(table, tables)
    task.write(covers.to_frame())
    if heatmap:
        from bvf_factors.pictures import coverage as covered

        task.draw(covered(*two_factors(table, factor, "--heatmap")), "--heatmap")
    sections, frame = coverage_sections(title, covers, task.show), covers.to_frame
    if empty:
        import pandas as pd

        chosen = tuple(table.factor(each.factors[0]) for each in covers.single)
        cells = empty_cells(chosen)
        sections = [empty_section(title, chosen, cells, task.show)]
        frame = partial(pd.DataFrame, cells, columns=[each.name for each in chosen])
    show_as(form, sections, covers.model_dump(mode="json"), frame)


@factors.command("subgroups", epilog="Example: bvf factors subgroups answers.csv --factors factors.toml --order 2")
@with_fields(options.TableConfig, but=["reference"])
def subgroups(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: options.Sources,
    declared: options.Declared,
    order: options.Order = 1,
    parent: options.Parent = False,
    target: options.Target = 0.0,
    line: options.Line = None,
    fewest: options.Fewest = 10,
    level: options.Level = 0.95,
    seed: options.Seed = 0,
    factor: options.OfFactor = None,
    ecdf: options.Ecdf = None,
    sunburst: options.Sunburst = None,
    out: options.Out = None,
    force: Force = False,
    show: options.Show = "8",
    form: Format = "text",
) -> None:
    """Report for which subgroups a model deviates more or less than for others, and how far their rates are spread."""
    from bvf_factors.rates.spread import spread
    from bvf_factors.rates.subgroups import subgroups as subgroups_of
    from bvf_factors.tables import spread_section, subgroup_section

    task = Task(ctx, show, out, {"--ecdf": ecdf, "--sunburst": sunburst}, force=force)
    table = table_in(tables, declared, given)
    title, chosen = title_of(table, tables), dict[str, Any](factors=factor or (), level=level, fewest=fewest)
    groups = subgroups_of(table, order, against="parent" if parent else "all", **chosen)
    rates = spread(table, order, target=target, line=line, seed=seed, **chosen)
    task.write(groups.to_frame())
    if ecdf:
        from bvf_factors.pictures import ecdf as steps

        task.draw(steps({title: rates.rates}, target, line), "--ecdf")
    if sunburst:
        from bvf_factors.pictures import sunburst as rings

        inner, outer = two_factors(table, factor, "--sunburst")
        singles, pairs = (subgroups_of(table, each, level=level, fewest=fewest) for each in (1, 2))
        task.draw(rings(singles, pairs, inner.name, outer.name), "--sunburst")
    sections = [subgroup_section(title, groups, task.show, is_number=table.is_number), spread_section(rates)]
    value = {"subgroups": groups.model_dump(mode="json"), "spread": rates.model_dump(mode="json")}
    show_as(form, sections, value, groups.to_frame)


@factors.command("importance", epilog="Example: bvf factors importance answers.csv --factors factors.toml")
@with_fields(options.TableConfig)
def importance(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: options.Sources,
    declared: options.Declared,
    factor: options.Chosen = None,
    interaction: options.Interactions = None,
    level: options.Level = 0.95,
    forest: options.Forest = None,
    out: options.Out = None,
    force: Force = False,
    show: options.Show = "8",
    form: Format = "text",
) -> None:
    """Report which levels make a model deviate, all other factors held: regression with errors clustered by prompt."""
    from bvf_factors.regressing.importance import importance as importance_of
    from bvf_factors.tables import importance_sections

    task = Task(ctx, show, out, {"--forest": forest}, force=force)
    table = table_in(tables, declared, given)
    effects = importance_of(table, factor or None, pairs_in(interaction), level=level)
    task.write(effects.to_frame())
    if forest:
        from bvf_factors.pictures import forest as furthest

        task.draw(furthest(effects), "--forest")
    show_found(form, importance_sections(title_of(table, tables), effects, task.show), effects)


@factors.command("design", epilog="Example: bvf factors design answers.csv --factors factors.toml --strength 2")
@with_fields(options.TableConfig, but=["reference"])
def design(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: options.Sources,
    declared: options.Declared,
    factor: options.Chosen = None,
    strength: options.Strength = 0,
    out: options.Out = None,
    force: Force = False,
    show: options.Show = "8",
    form: Format = "text",
) -> None:
    """List the prompts that a full design lacks, or one in which every two or three levels meet."""
    from bvf_factors.covering import missing_prompts
    from bvf_factors.tables import design_section

    task = Task(ctx, show, out, force=force)
    table = table_in(tables, declared, given)
    result = missing_prompts(table, tuple(factor or ()), strength)
    task.write(result.to_frame(), as_they_are=True)
    section = design_section(title_of(table, tables), result, task.show)
    show_as(form, [section], result.as_json(), result.to_frame)


@factors.command("compare", epilog="Example: bvf factors compare runs/bbq-gpt2 runs/bbq-distilgpt2")
@with_fields(options.TableConfig, but=["reference"])
def compare(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: options.Sources,
    declared: options.ComparedBy = "",
    by: options.By = MODEL,
    order: options.ComparedOrder = None,
    factor: options.OfFactor = None,
    target: options.Target = 0.0,
    level: options.Level = 0.95,
    fewest: options.Fewest = 10,
    seed: options.Seed = 0,
    ecdf: options.Ecdf = None,
    cluster: options.Cluster = "",
    group: options.Group = None,
    out: options.Out = None,
    force: Force = False,
    show: options.Show = "8",
    form: Format = "text",
) -> None:
    """Compare models: their scores on a benchmark, or, with --factors, their rates and those of their subgroups.

    Of folders of answers that bvf factors run wrote, scores are compared: each with its interval, and the difference
    of each two models with its interval and p. With --factors, rates of deviations are compared, of tables too.
    """
    _refuse_others(ctx, rates=bool(declared))
    task = Task(ctx, show, out, {"--ecdf": ecdf}, force=force)
    if not declared:
        from bvf import load
        from bvf_factors.benchmarks.answer_folder import answers_to_compare
        from bvf_factors.benchmarks.scored import benchmark_scores
        from bvf_factors.benchmarks.tables import score_sections

        models = answers_to_compare(tables, load(extra=options.TableConfig.checked(given, "options").plugin))
        scores = benchmark_scores(models, cluster=cluster, level=level, groups=group or ())
        task.write(scores.to_frame())
        show_found(form, score_sections(scores, task.show), scores)
        return
    from bvf_factors.benchmarks.answer_folder import refuse_other_items
    from bvf_factors.rates.comparing import compare_models
    from bvf_factors.tables import comparison_sections

    if by == MODEL:
        refuse_other_items(tables)
    table = table_in(tables, declared, given, with_model=by == MODEL)
    result = compare_models(
        table, by, order, factors=factor or (), target=target, level=level, fewest=fewest, seed=seed
    )
    task.write(result.to_frame())
    if ecdf:
        from bvf_factors.pictures import ecdf as steps

        task.draw(steps(result.spread, target), "--ecdf")
    show_found(form, comparison_sections(title_of(table, tables), result), result)


def _refuse_others(ctx: typer.Context, *, rates: bool) -> None:
    """Raise `BvfError` for an option of rates where scores are compared, or of scores where rates are."""
    for each in ctx.command.params:
        source = ctx.get_parameter_source(each.name or "")
        others = (each.name in OF_SCORES) == rates and each.name not in OF_BOTH
        if others and source is not None and source.name == "COMMANDLINE":
            what = (
                "scores, and --factors compares rates" if rates else "rates, and without --factors scores are compared"
            )
            hint = "leave --factors out, and name folders of answers" if rates else "give --factors FILE|NAME, too"
            raise BvfError(f"{each.opts[0]}: is an option of {what}", hint)


@factors.command("analyse", epilog="Example: bvf factors analyse answers.csv --factors factors.toml")
@with_fields(options.TableConfig)
def analyse(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    tables: options.Sources,
    declared: options.Declared,
    interaction: options.Interactions = None,
    level: options.Level = 0.95,
    seed: options.Seed = 0,
    show: options.Show = "6",
    details: options.Details = False,
    form: Format = "text",
) -> None:
    """Report everything: coverage, subgroups of one and of two factors, their spread, and what matters."""
    from bvf_factors.run import analyse_table
    from bvf_factors.tables import overview, result_sections

    task = Task(ctx, show)
    table = table_in(tables, declared, given)
    result = analyse_table(table, interactions=pairs_in(interaction), level=level, seed=seed)
    shown = result_sections if details else overview
    show_found(form, shown(title_of(table, tables), result, task.show, is_number=table.is_number), result)
    if result.importance_refused:
        note(f"no regression: {result.importance_refused}")
