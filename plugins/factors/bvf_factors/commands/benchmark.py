"""``bvf factors run``: score a published benchmark, or sentences of the user, with models."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bvf import BvfError, RunConfig
from bvf.domain import Count
from bvf.terminal import (
    READING,
    SCORING,
    Format,
    Given,
    configs_of_models,
    flag,
    note,
    progress_bar,
    show_as,
    with_fields,
)
from bvf_factors.commands.options import Cluster, Group, Level, Show

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
    cluster: Cluster = "",
    group: Group = None,
    level: Level = 0.95,
    show: Show = "8",
    form: Format = "text",
    quiet: Annotated[bool, flag("--quiet", "-q", help_text="No progress.")] = False,
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
    chosen = [
        BenchmarkConfig(
            benchmark, data, each, by, wordings, limit_items, each.out, tuple(answers or ()), encoding, orders
        )
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
            report(0, 0, 0, READING)
            scored.append(run_benchmark(config, plugins, partial(report, stage=SCORING), asked))
    scores = benchmark_scores(scored, cluster=cluster, level=level, groups=group or ())
    show_as(form, score_sections(scores, number), scores.model_dump(mode="json", by_alias=True), scores.to_frame)
    for answered in scored:
        note(f"answers in {answered.folder}; bvf factors analyse {answered.folder} --factors {benchmark}")
