"""``bvf run``: measure one model or several, and show what was found."""

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from bvf.cli.console import next_steps, note, progress_bar
from bvf.cli.format import Format, FormatName, show_as
from bvf.cli.options import flag, option, options_given, parsed_table, table
from bvf.cli.output import kept_in
from bvf.cli.part import show_parts
from bvf.cli.view import view_of
from bvf.domain.option_texts import parse_all_words
from bvf.errors import NotAllDoneError
from bvf.measuring.stages import READING
from bvf.running.config import RunConfig, environment, read_config

if TYPE_CHECKING:
    from bvf.hooks.loader import Plugins
    from bvf.interfaces.analysis import Analysis, View
    from bvf.measuring.run import OnProgress
    from bvf.results.result import ResultBase
    from bvf.running.one_run import Ready
    from bvf.running.several import Failure

Texts = list[str] | None
Text = str | None
Number = int | None
Flag = bool | None
RANK_HELP = "Order of groups: by r, or by what sets them apart from others; the latter if not said, where defined."
SHOW_HELP = "Groups to show, half of them from each end of the order. [default: 8]"
TABLES = {"backend_options": "B", "engine_options": "E", "topic_options": "T"}
OUTPUT_FIELDS = ("form", "quiet", "config", "rank", "show")
R = TypeVar("R")


def run(  # noqa: PLR0913 - one parameter per option, as typer wants it
    model: Annotated[Texts, option("model", panel="Model", metavar="NAME")] = None,
    name: Annotated[Texts, option("name", panel="Model", metavar="TEXT")] = None,
    topic: Annotated[Text, option("topic", panel="What")] = None,
    relation: Annotated[Text, option("relation", panel="What")] = None,
    cross: Annotated[Text, option("cross", panel="What", metavar="TOPIC,TOPIC")] = None,
    phrase: Annotated[Text, option("phrase", panel="What", metavar="PATTERN")] = None,
    lang: Annotated[Text, option("lang", panel="What")] = None,
    contexts: Annotated[Texts, option("contexts", panel="What", metavar="NAME|FILE")] = None,
    words: Annotated[Texts, option("words", panel="What", metavar="CLASS=WORD,WORD")] = None,
    sample_contexts: Annotated[Number, option("sample_contexts", panel="What", metavar="N")] = None,
    precision: Annotated[float | None, option("precision", panel="What", metavar="P")] = None,
    limit_contexts: Annotated[Number, option("limit_contexts", panel="What", metavar="N")] = None,
    limit_groups: Annotated[Number, option("limit_groups", panel="What")] = None,
    controls: Annotated[Flag, option("controls", "--controls", panel="What")] = None,
    criterion: Annotated[Text, option("criterion", panel="Method")] = None,
    margin: Annotated[Text, option("margin", panel="Method", metavar="FACTOR")] = None,
    distractors: Annotated[Number, option("distractors", panel="Method", metavar="N")] = None,
    scale: Annotated[Text, option("scale", panel="Method", metavar="unit|raw")] = None,
    reference: Annotated[Text, option("reference", panel="Method", metavar="NAME|FILE")] = None,
    group_weights: Annotated[Text, option("group_weights", panel="Method", metavar="NAME|FILE")] = None,
    tolerance: Annotated[float | None, option("tolerance", panel="Method", metavar="P")] = None,
    word_boundary: Annotated[Flag, option("word_boundary", "--word-boundary", panel="Method")] = None,
    mass_sample: Annotated[Text, option("mass_sample", panel="Method", metavar="N|all")] = None,
    keep_words: Annotated[Flag, option("keep_words", "--keep-words", panel="Method")] = None,
    analysis: Annotated[Text, option("analysis", panel="Method")] = None,
    order: Annotated[Text, option("order", panel="Advanced", metavar="groups|contexts")] = None,
    unit: Annotated[Text, option("unit", panel="Method", metavar="document|occurrence|template")] = None,
    level: Annotated[float | None, option("level", panel="Method", metavar="P")] = None,
    seed: Annotated[Number, option("seed", panel="Method")] = None,
    backend: Annotated[Text, option("backend", panel="Model")] = None,
    device: Annotated[Text, option("device", panel="Model")] = None,
    dtype: Annotated[Text, option("dtype", panel="Model", metavar="auto|float32|bfloat16|float16")] = None,
    revision: Annotated[Text, option("revision", panel="Model")] = None,
    trust_remote_code: Annotated[Flag, option("trust_remote_code", "--trust-remote-code", panel="Model")] = None,
    allow_pickle: Annotated[Flag, option("allow_pickle", "--allow-pickle", panel="Model")] = None,
    chat_template: Annotated[Flag, option("chat_template", "--chat-template", panel="Model")] = None,
    chat_turn: Annotated[Text, option("chat_turn", panel="Model", metavar="user|assistant")] = None,
    user: Annotated[Text, option("user", panel="Model", metavar="TEXT")] = None,
    system: Annotated[Text, option("system", panel="Model", metavar="TEXT")] = None,
    batch_tokens: Annotated[Text, option("batch_tokens", panel="Advanced", metavar="N|auto")] = None,
    engine: Annotated[Text, option("engine", panel="Advanced")] = None,
    threads: Annotated[Number, option("threads", panel="Advanced", metavar="N")] = None,
    backend_options: Annotated[Texts, table("B", "backend")] = None,
    engine_options: Annotated[Texts, table("E", "engine")] = None,
    topic_options: Annotated[Texts, table("T", "topic")] = None,
    plugin: Annotated[Texts, option("plugin", panel="Advanced", metavar="NAME")] = None,
    without: Annotated[Texts, option("without", panel="Advanced", metavar="NAME")] = None,
    label: Annotated[Texts, option("label", panel="Output", metavar="NAME=VALUE")] = None,
    out: Annotated[Text, option("out", panel="Output", metavar="DIR")] = None,
    part: Annotated[Text, option("part", panel="Advanced", metavar="I/N")] = None,
    config: Annotated[Path | None, flag("--config", help_text="Read these options from a TOML file.")] = None,
    rank: Annotated[Text, flag("--rank", help_text=RANK_HELP, metavar="risk|particular")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
    quiet: Annotated[bool, flag("--quiet", "-q", help_text="No progress.")] = False,
) -> None:
    """Measure how biased and how volatile a model is."""
    configs = merged_configs(options_given(locals(), but=OUTPUT_FIELDS), config)
    run_and_show(configs, view_of(rank, show), form, quiet)


def run_and_show(configs: list[RunConfig], view: "View", form: FormatName, quiet: bool) -> None:
    """Do the configured runs, or a part of each, and print the results.

    Raises:
        BvfError: Something that the user can mend; whatever is known before a model is loaded is reported first.
        NotAllDoneError: Some of several runs failed; the others are done, and shown.
    """
    from bvf.results.kept import analysis_of
    from bvf.running.one_run import finished, finished_part, ready

    silent, plugins = quiet or form == "json", _plugins_of(configs[0], quiet or form == "json")
    begin = partial(ready, plugins=plugins, view=view)
    if configs[0].part:
        parts, failures = _in_turn(configs, begin, finished_part, silent)
        if parts:
            show_parts(parts, configs[0], form)
    else:
        results, failures = _in_turn(configs, begin, finished, silent)
        if results:
            measured = Measured(results, analysis_of(results[0], plugins), view, listed=len(configs) > 1)
            _show_results(measured, form, quiet)
    if failures:
        raise NotAllDoneError(f"{len(failures)} of {len(configs)} runs failed", *map(str, failures))


def _show_results(measured: "Measured", form: FormatName, quiet: bool) -> None:
    folders = [str(result.folder) for result in measured.results]
    with kept_in(folders):
        show_measured(measured, form)
    next_steps(what_next(folders) if form == "text" and not quiet else [])


def merged_configs(given: dict[str, Any], file: Path | None) -> list[RunConfig]:
    """Return a configuration per model and context set: file, then environment, then options.

    Raises:
        BvfError: A setting is unknown or wrong; says where it was read.
    """
    from bvf.running.several import configs_of

    if "words" in given:
        given["words"] = parse_all_words(given["words"])
    for field, letter in TABLES.items():
        if field in given:
            given[field] = parsed_table(given[field], letter)
    return configs_of(
        [(str(file), read_config(file) if file else {}), ("environment", environment()), ("options", given)]
    )


@dataclass(frozen=True)
class Measured:
    """Results of several runs, their analysis, and how to show them; ``listed``: JSON has a list even of one."""

    results: "list[ResultBase]"
    analysis: "Analysis[Any]"
    view: "View"
    listed: bool = False


def _plugins_of(first: RunConfig, quiet: bool) -> "Plugins":
    from bvf.domain.crossing import size_of
    from bvf.hooks.loader import load
    from bvf.measuring.topics import chosen_topic

    plugins = load(extra=first.plugin, without=first.without)
    if first.cross and not quiet:
        language = plugins.languages.find(first.lang).make()
        note(size_of(chosen_topic(first, plugins, language)))
    return plugins


def _in_turn(
    configs: list[RunConfig],
    begin: "Callable[[RunConfig], Ready]",
    finish: "Callable[[Ready, OnProgress], R]",
    quiet: bool,
) -> "tuple[list[R], list[Failure]]":
    """The result of each configuration, with progress; failures are reported at once."""
    from bvf.running.several import in_turn

    def title_of(config: RunConfig, name: str) -> str:
        part = f"part {config.part}" if config.part else ""
        return " ".join(filter(None, (name or "bundled model", str(config.contexts), part)))

    began = time.monotonic()

    def begin_with_bar(config: RunConfig) -> "Ready":
        with progress_bar(title_of(config, config.name or config.model), quiet, began=began) as report:
            report(0, 0, 0, READING)
            return begin(config)

    def finish_with_bar(begun: "Ready") -> R:
        with progress_bar(title_of(begun.config, begun.plan.model.name), quiet, began=began) as report:
            return finish(begun, lambda now: report(now.done, now.total, now.reused, now.stage))

    def told(failure: "Failure") -> None:
        if not quiet:
            note(f"left out: {failure}")

    return in_turn(configs, begin_with_bar, finish_with_bar, told)


def show_measured(measured: Measured, form: FormatName) -> None:
    """Print the models, and the groups of each; JSON has one object, or an array of them for several models."""
    from bvf.results.shown import group_frame, result_sections

    results = measured.results
    objects = [result.model_dump(mode="json", by_alias=True) for result in results]
    show_as(
        form,
        result_sections(results, measured.analysis, measured.view),
        objects[0] if len(objects) == 1 and not measured.listed else objects,
        lambda: group_frame(results),
    )


def what_next(folders: Sequence[str]) -> list[str]:
    """Return what to do with finished runs, a line each: a page, a comparison, a figure, and where to read on."""
    named = shlex.join(folders)
    others = "" if len(folders) > 1 else " runs/OTHER"
    return [
        "",
        f"next: bvf report {named} -o report.html",
        f"      bvf compare {named}{others}",
        f"      bvf plot {shlex.quote(folders[0])} --kind lean -o lean.pdf",
        f"      bvf explain {shlex.quote(folders[0])}",
    ]
