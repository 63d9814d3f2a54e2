"""``bvf run``: measure one model or several, and show what was found."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from bvf.cli.console import note, print_json, progress_bar, stdout
from bvf.cli.options import flag, option, options_given
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.measure.config import RunConfig, checked_config, environment, parse_all_words, read_config

if TYPE_CHECKING:
    from bvf.analyse.result import AnyResult
    from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
    from bvf.measure.scoring import Progress
    from bvf.report.view import View

Texts = list[str] | None
Text = str | None
Number = int | None
Flag = bool | None
RANK_HELP = "Order of groups: by r, or by what sets them apart from others; the latter if not said, where defined."
SHOW_HELP = "Groups to show, half of them from each end of the order. [default: 8]"
OUTPUT_FIELDS = ("json_", "quiet", "config", "rank", "show")
DIGITS = 8
"""Of a digest that tells two folders apart."""


def run(  # noqa: PLR0913 - one parameter per option, as typer wants it
    model: Annotated[Texts, option("model", panel="Model", metavar="NAME")] = None,
    topic: Annotated[Text, option("topic", panel="What")] = None,
    relation: Annotated[Text, option("relation", panel="What")] = None,
    lang: Annotated[Text, option("lang", panel="What")] = None,
    contexts: Annotated[Texts, option("contexts", panel="What", metavar="NAME|FILE")] = None,
    words: Annotated[Texts, option("words", panel="What", metavar="CLASS=WORD,WORD")] = None,
    limit_contexts: Annotated[Number, option("limit_contexts", panel="What")] = None,
    limit_groups: Annotated[Number, option("limit_groups", panel="What")] = None,
    criterion: Annotated[Text, option("criterion", panel="Method")] = None,
    distractors: Annotated[Number, option("distractors", panel="Method", metavar="N")] = None,
    scale: Annotated[Text, option("scale", panel="Method", metavar="unit|raw")] = None,
    reference: Annotated[Text, option("reference", panel="Method", metavar="NAME|FILE")] = None,
    group_weights: Annotated[Text, option("group_weights", panel="Method", metavar="NAME|FILE")] = None,
    tolerance: Annotated[float | None, option("tolerance", panel="Method", metavar="P")] = None,
    word_boundary: Annotated[Flag, option("word_boundary", "--word-boundary", panel="Method")] = None,
    mass_sample: Annotated[Text, option("mass_sample", panel="Method", metavar="N|all")] = None,
    seed: Annotated[Number, option("seed", panel="Method")] = None,
    backend: Annotated[Text, option("backend", panel="Model")] = None,
    device: Annotated[Text, option("device", panel="Model")] = None,
    dtype: Annotated[Text, option("dtype", panel="Model", metavar="auto|float32|bfloat16|float16")] = None,
    device_map: Annotated[Text, option("device_map", panel="Model")] = None,
    revision: Annotated[Text, option("revision", panel="Model")] = None,
    trust_remote_code: Annotated[Flag, option("trust_remote_code", "--trust-remote-code", panel="Model")] = None,
    allow_pickle: Annotated[Flag, option("allow_pickle", "--allow-pickle", panel="Model")] = None,
    chat_template: Annotated[Flag, option("chat_template", "--chat-template", panel="Model")] = None,
    system: Annotated[Text, option("system", panel="Model", metavar="TEXT")] = None,
    batch_tokens: Annotated[Text, option("batch_tokens", panel="Advanced", metavar="N|auto")] = None,
    engine: Annotated[Text, option("engine", panel="Advanced")] = None,
    plugin: Annotated[Texts, option("plugin", panel="Advanced", metavar="NAME")] = None,
    without: Annotated[Texts, option("without", panel="Advanced", metavar="NAME")] = None,
    out: Annotated[Text, option("out", panel="Output", metavar="DIR")] = None,
    config: Annotated[Path | None, flag("--config", help_text="Read these options from a TOML file.")] = None,
    rank: Annotated[Text, flag("--rank", help_text=RANK_HELP, metavar="risk|particular")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    json_: Annotated[bool, flag("--json", help_text="Print the result as JSON, and nothing else.")] = False,
    quiet: Annotated[bool, flag("--quiet", "-q", help_text="No progress.")] = False,
) -> None:
    """Measure how biased and how volatile a model is."""
    given = options_given(locals(), but=OUTPUT_FIELDS)
    from bvf.report.view import view_of

    configs = merged_configs(given, config)
    measured = measure(configs, view_of(rank, show), quiet=quiet or json_)
    show_json(measured) if json_ else show_tables(measured)


def merged_configs(given: dict[str, Any], file: Path | None) -> list[RunConfig]:
    """Return a configuration per model and context set: file, then environment, then options.

    Raises:
        BvfError: A setting is unknown or wrong; says where it was read.
    """
    if "words" in given:
        given["words"] = parse_all_words(given["words"])
    values: dict[str, Any] = {}
    for where, layer in (
        (str(file), read_config(file) if file else {}),
        ("environment", environment()),
        ("options", given),
    ):
        for choice in _choices(layer):
            checked_config({**layer, **choice}, where)
        values.update(layer)
    choices = _choices(values)
    out = values.get("out", "")
    return [
        checked_config({**values, **choice, "out": _folder_of(out, choice, choices)}, "options") for choice in choices
    ]


def _choices(values: dict[str, Any]) -> list[dict[str, str]]:
    """Every model with every context set."""
    models, contexts = (
        list(dict.fromkeys(value)) if isinstance(value := values.get(name, ""), list) else [value]
        for name in ("model", "contexts")
    )
    return [{"model": model, "contexts": chosen} for model in models for chosen in contexts]


@dataclass(frozen=True)
class Measured:
    """Results of several runs, their criterion, and how they are to be shown."""

    results: "list[AnyResult]"
    criterion: "Criterion | KnowledgeCriterion"
    view: "View"


def measure(configs: list[RunConfig], view: "View", quiet: bool) -> Measured:
    """Run one after another; what is finished stays on disk when a later one fails.

    Raises:
        BvfError: Something that the user can mend; what can be known before a model is loaded is said before.
    """
    import bvf
    from bvf.hooks.loader import load
    from bvf.measure.plan import plan

    first = configs[0]
    plugins = load(extra=first.plugin, without=first.without)
    laid_out = plan(first, plugins)
    view.check(laid_out.criterion, laid_out.config.criterion, laid_out.groups)
    results = []
    for index, config in enumerate(configs):
        title = " ".join(filter(None, (config.model or "bundled model", config.contexts)))
        try:
            with progress_bar(title, quiet) as report:

                def on_progress(progress: "Progress", report: Any = report) -> None:
                    report(progress.done, progress.total, progress.reused)

                results.append(bvf.run(config, plugins=plugins, on_progress=on_progress))
        except BvfError:
            if index:
                note(f"{index} of {len(configs)} runs are done: {', '.join(str(r.folder) for r in results)}")
            raise
    return Measured(results, laid_out.criterion, view)


def show_json(measured: Measured) -> None:
    """Print one object; an array of them for several models."""
    objects = [result.model_dump(mode="json", by_alias=True) for result in measured.results]
    print_json(objects[0] if len(objects) == 1 else objects)


def show_tables(measured: Measured) -> None:
    """Print the models with the reference models above them, the groups at both ends, and where the results lie."""
    from bvf.report.table import printed

    stdout().print(printed(measured.results, measured.criterion, measured.view))


def _folder_of(out: str, choice: dict[str, str], choices: list[dict[str, str]]) -> str:
    """The results folder of one of several choices: below the one that was named, after what tells them apart."""
    several = {name: {each[name] for each in choices} for name in choice}
    slugs = [_slug(choice[name], others) for name, others in several.items() if len(others) > 1]
    return str(Path(out, *slugs)) if out else out


def _slug(text: str, others: set[str]) -> str:
    """A name for a folder; with a digest where another text would have the same, in upper or lower case."""
    slug = _plain(text)
    alone = all(_plain(other).casefold() != slug.casefold() for other in others - {text})
    return slug if slug and alone else f"{slug}-{digest_of(text)[:DIGITS]}".lstrip("-")


def _plain(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-.")
