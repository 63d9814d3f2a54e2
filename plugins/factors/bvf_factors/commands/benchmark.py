"""``bvf factors run``: score a published benchmark with models."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bvf import RunConfig
from bvf.errors import BvfError
from bvf.terminal.console import note
from bvf.terminal.format import Format, show_as
from bvf.terminal.options import Given, configs_of_models, flag, with_fields
from bvf.terminal.progress import SCORING, progress_bar
from bvf_factors.commands.options import Show

FIELDS = (
    *("model", "name", "backend", "device", "dtype", "revision", "trust_remote_code", "batch_tokens", "engine"),
    *("chat_template", "chat_turn", "user", "system", "chat_variable"),
    *("threads", "backend_options", "engine_options", "plugin", "without", "out"),
)
DATA_HELP = "Folder or file of its items, as published. [default: a few examples that come with bvf]"
ANSWERS_HELP = "A file of published answers, in place of a model."
BY_HELP = "The score of an answer: its log-probability, that per byte, or that of its letter."
WORDINGS_HELP = "A file with a wording per line: scores get a spread over wordings."


@with_fields(RunConfig, only=FIELDS)
def run(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="See `bvf benchmarks`.", show_default=False)],
    data: Annotated[Path | None, flag("--data", help_text=DATA_HELP, panel="What", metavar="DIR|FILE")] = None,
    answers: Annotated[list[Path] | None, flag("--answers", help_text=ANSWERS_HELP, panel="What")] = None,
    by: Annotated[str, flag("--by", help_text=BY_HELP, panel="What", metavar="sum|bytes|letters")] = "sum",
    wordings: Annotated[Path | None, flag("--wordings", help_text=WORDINGS_HELP, panel="What", metavar="FILE")] = None,
    limit_items: Annotated[int, flag("--limit-items", help_text="The first N items.", panel="What", metavar="N")] = 0,
    show: Show = "8",
    form: Format = "text",
    quiet: Annotated[bool, flag("--quiet", "-q", help_text="No progress.")] = False,
) -> None:
    """Put a published benchmark to models, and compute its scores; what is finished is kept."""
    from bvf.hooks.loader import load
    from bvf.terminal.view import view_of
    from bvf_factors.benchmarks.asking import BenchmarkConfig
    from bvf_factors.benchmarks.benchmarking import published_answers, run_benchmark
    from bvf_factors.benchmarks.scoring import WAYS
    from bvf_factors.benchmarks.tables import as_json, score_frame, score_sections

    number = view_of(None, show).show
    if by not in WAYS:
        raise BvfError(f"--by {by}: no way to score answers", f"choose one of {', '.join(WAYS)}")
    if answers and "model" in given:
        raise BvfError("--answers and --model: published answers take the place of a model's", "give one of them")
    configs = configs_of_models(given)
    plugins = load(extra=configs[0].plugin, without=configs[0].without)
    scored = []
    for each in configs:
        config = BenchmarkConfig(benchmark, data, each, by, wordings, limit_items, each.out, tuple(answers or ()))
        if answers:
            scored.append(published_answers(config, plugins))
            continue
        title = f"{benchmark} {each.name or each.model}".strip()
        with progress_bar(title, quiet or form == "json", "answers") as report:
            scored.append(run_benchmark(config, plugins, partial(report, stage=SCORING)))
    show_as(form, score_sections(scored, number), as_json(scored), lambda: score_frame(scored))
    for answered in scored:
        note(f"answers in {answered.folder}; bvf factors analyse {answered.folder}/rows.jsonl --factors {benchmark}")
