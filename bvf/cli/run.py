"""``bvf run``: measure one model or several, and show what was found."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli.console import note, progress_bar, stdout
from bvf.cli.options import flag, option, options_given
from bvf.config import RunConfig, checked_config, environment, parse_words, read_config
from bvf.errors import BvfError

if TYPE_CHECKING:
    from bvf.result import AnyResult

Texts = list[str] | None
Text = str | None
Number = int | None
Flag = bool | None
OUTPUT_FIELDS = ("json_", "quiet", "config")


def run(  # noqa: PLR0913 - one parameter an option, as typer wants it
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
    json_: Annotated[bool, flag("--json", help_text="Print the result as JSON, and nothing else.")] = False,
    quiet: Annotated[bool, flag("--quiet", "-q", help_text="No progress.")] = False,
) -> None:
    """Measure how biased and how volatile a model is."""
    given = options_given(locals(), but=OUTPUT_FIELDS)
    configs = merged_configs(given, config)
    results = run_all(configs, quiet=quiet or json_)
    show_json(results) if json_ else show_tables(configs[0], results)


def merged_configs(given: dict[str, Any], file: Path | None) -> list[RunConfig]:
    """Return a configuration a model and context set: file, then environment, then options.

    Raises:
        BvfError: A setting is unknown or wrong; says where it was read.
    """
    if "words" in given:
        given["words"] = dict(parse_words(text) for text in given["words"])
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


def run_all(configs: list[RunConfig], quiet: bool) -> "list[AnyResult]":
    """Run one after another; what is finished stays on disk when a later one fails."""
    import bvf
    from bvf.scoring import Progress

    results = []
    for index, config in enumerate(configs):
        title = " ".join(filter(None, (config.model or "bundled model", config.contexts)))
        try:
            with progress_bar(title, quiet) as report:

                def on_progress(progress: Progress, report: Any = report) -> None:
                    report(progress.done, progress.total, progress.reused)

                results.append(bvf.run(config, on_progress=on_progress))
        except BvfError:
            if index:
                note(f"{index} of {len(configs)} runs are done: {', '.join(str(r.folder) for r in results)}")
            raise
    return results


def show_json(results: "list[AnyResult]") -> None:
    """Print one object; an array of them for several models."""
    objects = [result.model_dump(mode="json", by_alias=True) for result in results]
    typer.echo(json.dumps(objects[0] if len(objects) == 1 else objects, indent=1, ensure_ascii=False))


def show_tables(config: RunConfig, results: "list[AnyResult]") -> None:
    """Print the models with the reference models above them, the groups that stand out, and where the results lie."""
    from bvf.plan import plan
    from bvf.plugins import load
    from bvf.report.reference import reference_rows
    from bvf.report.table import group_table, model_table

    console = stdout()
    laid_out = plan(config, load(extra=config.plugin, without=config.without))
    console.print(model_table(reference_rows(laid_out), results))
    for result in results:
        console.print()
        console.print(group_table(result))
        mass = result.candidate_mass
        console.print(
            f"{len(result.groups)} groups in {result.number_of_contexts} contexts "
            f"(as good as {result.effective_contexts:.1f} of equal weight)\n"
            f"candidate words have {mass.mean:.1%} of the probability; 5% of prompts less than {mass.quantile_05:.1%}"
        )
        for sentence in result.notes:
            console.print(f"note: {sentence}", markup=False)
        console.print(f"results: {result.folder}", markup=False)


def _folder_of(out: str, choice: dict[str, str], choices: list[dict[str, str]]) -> str:
    """The results folder of one of several choices: below the one that was named, after what tells them apart."""
    told = [choice[name] for name in choice if len({each[name] for each in choices}) > 1]
    slugs = ["".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-.") for text in told]
    return str(Path(out, *slugs)) if out else out
