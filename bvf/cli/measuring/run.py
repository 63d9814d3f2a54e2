"""``bvf run``: measure one model or several, and show what was found."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from bvf.cli.measuring.part import show_parts
from bvf.cli.output import kept_in
from bvf.errors import NotAllDoneError
from bvf.measuring.stages import ASKING_ENGINE, LOADING, READING
from bvf.running.config import RunConfig
from bvf.terminal import method
from bvf.terminal.console import next_step, note
from bvf.terminal.format import Format, FormatName, show_as
from bvf.terminal.options import Given, configs_of_models, flag, with_fields
from bvf.terminal.progress import OnProgress as ShownProgress
from bvf.terminal.progress import progress_bar

if TYPE_CHECKING:
    from bvf.domain.topic import Topic
    from bvf.hooks.loader import Plugins
    from bvf.interfaces.analysis import View
    from bvf.measuring.run import OnProgress
    from bvf.results.result import ResultBase
    from bvf.running.one_run import PreparedRun
    from bvf.running.several import Failure

R = TypeVar("R")
DRY_RUN_HELP = "Measure nothing: print the first prompt as the model reads it, with its tokens."


@with_fields(RunConfig)
def run(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    config: Annotated[Path | None, flag("--config", help_text="Read these options from a TOML file.")] = None,
    rank: method.Rank = None,
    show: method.Show = None,
    details: method.Details = False,
    dry_run: Annotated[bool, flag("--dry-run", help_text=DRY_RUN_HELP)] = False,
    form: Format = "text",
    quiet: method.Quiet = False,
) -> None:
    """``bvf run``."""
    configs, view = configs_of_models(given, config), method.view_of(rank, show, details)
    if dry_run:
        _show_previews(configs, form)
        return
    from bvf.domain.topic import Topic
    from bvf.running.one_run import PreparedRun, finished, finished_part, ready

    silent = quiet or form == "json"
    plugins = _plugins_of(configs[0], silent)
    topics = list[Topic]()

    def begin(config: RunConfig) -> PreparedRun:
        begun = ready(config, plugins, view)
        topics.append(begun.plan.topic)
        return begun

    if configs[0].part:
        parts, failures = _in_turn(configs, begin, finished_part, silent)
        if parts:
            show_parts(parts, configs[0], form)
    else:
        results, failures = _in_turn(configs, begin, finished, silent, at_once=True)
        if results:
            with kept_in([str(result.folder) for result in results]):
                show_measured(results, plugins, view, form, listed=len(configs) > 1)
            if form == "text" and not quiet:
                next_step(_after(topics[0]))
    if failures:
        raise NotAllDoneError(f"{len(failures)} of {len(configs)} runs failed", *map(str, failures))


def _show_previews(configs: list[RunConfig], form: FormatName) -> None:
    """Print the first prompt of each run as its model reads it, token by token. Nothing is stored."""
    from bvf.cli.measuring.preview import preview_frame, preview_sections
    from bvf.measuring.preview import preview_of
    from bvf.running.one_run import ready

    plugins = _plugins_of(configs[0], quiet=True)
    previews = [preview_of(begun.plan) for begun in [ready(config, plugins) for config in configs]]
    objects = [preview.model_dump(mode="json") for preview in previews]
    sections = [section for preview in previews for section in preview_sections(preview)]
    show_as(form, sections, objects if len(objects) > 1 else objects[0], lambda: preview_frame(previews))


def _plugins_of(first: RunConfig, quiet: bool) -> "Plugins":
    from bvf.domain.crossing import size_of
    from bvf.hooks.loader import load
    from bvf.measuring.topics import chosen_topic

    plugins = load(extra=first.plugin, without=first.without)
    if first.cross and not quiet:
        note(size_of(chosen_topic(first, plugins)[0]))
    return plugins


def _in_turn(
    configs: list[RunConfig],
    begin: "Callable[[RunConfig], PreparedRun]",
    finish: "Callable[[PreparedRun, OnProgress], R]",
    quiet: bool,
    *,
    at_once: bool = False,
) -> "tuple[list[R], list[Failure]]":
    """Do the runs one after another, and return results and failures. Progress and each failure are shown at once.

    With ``at_once``, workers measure several at the same time where they can.
    """
    from bvf.running.several import in_turn

    def title_of(config: RunConfig, name: str) -> str:
        part = f"part {config.part}" if config.part else ""
        return " ".join(filter(None, (name or "bundled model", str(config.contexts), part)))

    began = time.monotonic()

    def begin_with_bar(config: RunConfig) -> "PreparedRun":
        with progress_bar(title_of(config, config.name or config.model), quiet, began=began) as report:
            report(0, 0, 0, READING)
            return begin(config)

    def finish_with_bar(begun: "PreparedRun") -> R:
        with progress_bar(title_of(begun.config, begun.plan.model.name), quiet, began=began) as report:
            return finish(begun, _shown_by(report))

    def ahead_with_bar(begun: "Sequence[PreparedRun]") -> "Iterator[tuple[int, Failure]]":
        return _failed_at_once(begun, quiet, began) if at_once else iter(())

    def report_failure(failure: "Failure") -> None:
        if not quiet:
            note(f"left out: {failure}")

    return in_turn(configs, begin_with_bar, finish_with_bar, report_failure, ahead_with_bar)


def _failed_at_once(begun: "Sequence[PreparedRun]", quiet: bool, began: float) -> "Iterator[tuple[int, Failure]]":
    """Have workers measure several runs at the same time, and yield the failures. No bar is shown meanwhile."""
    from bvf.measuring.run import Progress
    from bvf.running.together import measured_at_once, placed

    with progress_bar(f"{len(begun)} runs", quiet, began=began) as report:
        report(0, 0, 0, ASKING_ENGINE)
        places = placed(begun)
    reported = [Progress(0, 0, 0, LOADING)]

    def show_next(now: Progress) -> None:
        reported.append(now)
        show(now)

    failures = measured_at_once(begun, places, show_next)
    while places:
        with progress_bar(f"{len(places)} runs at once", quiet, began=began) as report:
            show = _shown_by(report)
            show(reported[-1])
            failed = next(failures, None)
        if failed is None:
            return
        yield failed


def _shown_by(report: ShownProgress) -> "OnProgress":
    return lambda now: report(now.done, now.total, now.reused, now.stage)


def show_measured(
    results: "list[ResultBase]", plugins: "Plugins", view: "View", form: FormatName, *, listed: bool = False
) -> None:
    """Print the models and the groups of each. As JSON, one result is an object unless ``listed``; others an array."""
    from bvf.results.sections import group_frame, sections_by_question

    objects = [result.model_dump(mode="json", by_alias=True) for result in results]
    show_as(
        form,
        sections_by_question(results, plugins, view),
        objects[0] if len(objects) == 1 and not listed else objects,
        lambda: group_frame(results),
    )


def _after(topic: "Topic") -> str:
    """A line on what to do next after runs of a topic."""
    if topic.truth:
        return "next: bvf report, export or gate DIR"
    controls = "" if topic.control else "; or run it again with --controls"
    return f"next: bvf report, compare, plot, explain or plan DIR{controls}"
