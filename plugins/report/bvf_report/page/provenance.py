"""The provenance of figures: the model, the questions, the commands used, and how to repeat them."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bvf import AnalysisConfig, MeasureConfig, Measurement, ResultBase
from bvf.domain import Asked, MeasuredModel, MeasurementRecord, ModelPackage, Wording, assignments, text_of
from bvf.errors import in_one_line
from bvf.hooks import Plugins
from bvf.results import method_of, names_of_parts, of_risk, options_of
from bvf.study import EVERYDAY, invocations_in, read_record

ACTS = re.compile(r"[/\\:]|\.py$")
"""In the value of a plugin's option: a path, an address, or code."""
ACTING = re.compile(r"url|env|header|key|remote_code|pickle")
"""In the name of a plugin's option: it loads, sends or runs something."""
OPTIONS = {"backend_options": "-B", "engine_options": "-E", "topic_options": "-T"}
TURNS: dict[Wording, str] = {
    "bare": "contexts as they are",
    "chat": "each context in the user's turn of a chat",
    "chat-assistant": "each context begins the assistant's turn of a chat",
    "by-context": "each context in the chat that it brings, or as it is",
}


@dataclass(frozen=True)
class Provenance:
    """The provenance of a result: records of its measurement and commands, and options of its analysis."""

    record: MeasurementRecord  # the record of its measurement
    invocations: tuple[dict[str, Any], ...]  # the records of the commands that measured it, in order of time
    parts: dict[str, Any]  # the options that name its analysis and its plugin, where they are not bvf's own


def provenance_of(result: ResultBase, plugins: Plugins, measurement: Measurement | None = None) -> Provenance | None:
    """Return the provenance of a result, read from its folder (the record if not given); None if it was not stored."""
    if result.folder is None:
        return None
    record = read_record(result.folder) if measurement is None else measurement.record
    records = [invocation for _, invocation in invocations_in(result.folder, record.digest)]
    by_time = tuple(sorted(records, key=lambda each: str(each.get("started", ""))))
    return Provenance(record, by_time, names_of_parts(result, plugins))


def subject(model: MeasuredModel) -> list[tuple[str, str]]:
    """Return facts that identify the model, as names and values. Digests are included."""
    size = "" if model.parameters is None else f"{model.parameters:,}"
    tolerance = f"{model.tolerance:g}: improbable words are left out" if model.tolerance else "0: every word is asked"
    rows = [
        ("model", model.name),
        ("--model as given", model.path),
        *(_package(model.package) if model.package else []),
        ("read by", model.backend),
        ("read as", model.read_as),
        ("base model of the adapter", model.base),
        ("revision", model.revision),
        ("parameters", size),
        ("digest of the weights", model.weights),
        ("digest of configuration, tokenizer and chat template", model.settings),
        ("wording", TURNS[model.wording]),
        ("system prompt", model.system),
        ("the user says", model.user),
        ("variables of the chat template", assignments(model.chat_variables)),
        ("the chat template's date", model.chat_date),
        ("a word counts only where it ends", "yes" if model.word_boundary else "no"),
        ("token before a word with nothing left of it", model.start),
        ("tolerance", tolerance),
    ]
    of_some = {"read as", "base model of the adapter"}
    of_some |= {"system prompt", "the user says", "variables of the chat template", "the chat template's date"}
    of_some |= {"token before a word with nothing left of it"}
    return [(name, value or "not known") for name, value in rows if value or name not in of_some]


def _package(package: ModelPackage) -> list[tuple[str, str]]:
    return [
        ("Python package", f"{package.distribution} {package.version}"),
        ("licence", package.licence or "not stated"),
        ("file in the package", package.file),
        ("SHA-256 of the file", package.digest),
    ]


def questions(asked: Asked) -> list[tuple[str, str]]:
    """Return facts on the questions' purpose and sources, as names and values."""
    drawn = f", {asked.draws.number:,} draws with seed {asked.draws.seed}" if asked.draws else ", all of them"
    words = "; ".join(f"{each.name}: {', '.join(each.words)}" for each in asked.attributes)
    return [
        ("topic", f"{asked.topic} ({asked.language}): {asked.summary}"),
        ("construct", asked.meaning.construct_),
        ("harm", asked.meaning.harm),
        ("chosen by", asked.meaning.chosen_by),
        ("reference p*", asked.meaning.reference),
        *(("known gap", gap) for gap in asked.meaning.gaps),
        ("words of the classes", words),
        ("contexts", f"{asked.contexts}: {len(asked.in_order):,} of {asked.whole.templates:,}{drawn}"),
        ("contexts from", asked.contexts_source),
        *([("openings", asked.openings.described)] if asked.openings else []),
        *(("source", source) for source in asked.sources),
    ]


def invocations(provenance: Provenance) -> Iterator[tuple[str, str]]:
    """Yield the time of each measuring command, and a text with its duration, machine and versions."""
    for record in provenance.invocations:
        versions, host = record.get("versions", {}), record.get("host", {})
        libraries = ", ".join(f"{name} {value}" for name, value in versions.get("libraries", {}).items())
        plugins = ", ".join(f"{name} {each[-1]}" for name, each in versions.get("plugins", {}).items())
        parts = [
            f"{record['seconds']:.0f} s" if record.get("seconds") is not None else "not finished",
            f"{host.get('system', '')} {host.get('machine', '')}".strip(),
            f"{host['threads']} threads for {host['processors']} processors" if "threads" in host else "",
            f"Python {versions.get('python', '')}, {libraries}",
            f"plugins {plugins}",
        ]
        yield str(record.get("started", "")), "; ".join(filter(None, parts))


def commands(result: ResultBase, provenance: Provenance) -> str:
    """Return the commands that repeat the measurement and the analysis of a result.

    What loads, sends or runs something is not among the options but named: the folder may be of anybody.
    """
    lines = []
    if provenance.invocations:
        config = provenance.invocations[-1].get("config", {})
        if acting := list(_acting(config)):
            lines.append(in_one_line(f"# not repeated, as they load, send or run something: {', '.join(acting)}"))
        more = ["--controls"] if any(study.controls for study in of_risk([result])) else []
        more += ["--other-words"] if any(study.other_words for study in of_risk([result])) else []
        lines.append(shlex.join(["bvf", "run", *_arguments(config), *more]))
    folder = str(result.folder)
    lines.append(shlex.join(["bvf", "analyse", folder, *_arguments_of_analysis(result, provenance)]))
    plugin = {name: value for name, value in provenance.parts.items() if name == "plugin"}
    lines.append(shlex.join(["bvf", "verify", folder, *options_of(plugin)]))
    return "\n".join(lines)


def _arguments(config: dict[str, Any]) -> Iterator[str]:
    for name, field in MeasureConfig.model_fields.items():
        value = config.get(name)
        if name in OPTIONS:
            yield from _options_of_part(OPTIONS[name], value or {})
        elif name not in ("part", "plugin") and value not in (None, field.default, [], {}, ""):
            yield from _option(f"--{name.replace('_', '-')}", value)


def _acting(config: Mapping[str, Any]) -> Iterator[str]:
    """The options of a command that load, send or run something."""
    if config.get("plugin"):
        yield "--plugin"
    for part, letter in OPTIONS.items():
        chosen = {name: value for name, value in (config.get(part) or {}).items() if value not in (None, "", False, {})}
        yield from (f"{letter} {name}" for name, value in chosen.items() if _acts(name, value))


def _acts(name: str, value: Any) -> bool:
    return bool(ACTING.search(name) or (name not in EVERYDAY and ACTS.search(text_of(value))))


def _options_of_part(letter: str, options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        if _acts(name, value):
            continue
        if name in EVERYDAY and EVERYDAY[name].option.many:
            yield from _option(f"--{name.replace('_', '-')}", {key: text_of(each) for key, each in value.items()})
        elif value is not None:
            yield from (letter, f"{name}={text_of(value)}")


def _option(option: str, value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield option
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from (option, f"{key}={_written(each)}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for each in value:
            yield from (option, str(each))
    else:
        yield from (option, _written(value))


def _arguments_of_analysis(result: ResultBase, source: Provenance) -> list[str]:
    """The options that repeat this analysis of a run. They do not depend on the run's own analysis."""
    chosen = method_of(result, source.record.asked)
    defaults = {name: field.default for name, field in AnalysisConfig.model_fields.items() if name != "analysis"}
    needed = {
        name: chosen[name]
        for name, default in defaults.items()
        if name in chosen and (name == "criterion" or name in result.differs or chosen[name] not in (default, "", {}))
    }
    return options_of({**source.parts, **needed})


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
