"""The provenance of figures: model, questions, commands, how to repeat them; and sections of a report for auditors."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bvf import AnalysisConfig, BvfError, MeasureConfig, Measurement, ResultBase, Section
from bvf.domain import Asked, MeasuredModel, MeasurementRecord, assignments, text_of
from bvf.errors import in_one_line, nearest
from bvf.files import is_file, parse_toml, read_text
from bvf.hooks import Plugins
from bvf.results import Part, names_of_parts, of_risk, options_of, what_of
from bvf.study import EVERYDAY, invocations_in, read_record
from bvf.tables import Column, table
from bvf_report.page.content import Block, Code, Facts

ACTS = re.compile(r"[/\\:]|\.py$")
"""In the value of a plugin's option: a path, an address, or code."""
ACTING = re.compile(r"url|env|header|key|remote_code|pickle")
"""In the name of a plugin's option: it loads, sends or runs something."""
OPTIONS = {"backend_options": "-B", "engine_options": "-E", "topic_options": "-T"}
TURNS = {
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
        *_package(model),
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


def _package(model: MeasuredModel) -> list[tuple[str, str]]:
    package = model.package
    if package is None:
        return []
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
        reference = result.method_fields(provenance.record.asked).get("reference", "")
        if reference not in ("", AnalysisConfig.model_fields["reference"].default):  # a baseline answers by it
            more += options_of({"reference": reference})
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
    chosen = result.method_fields(source.record.asked)
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


EXAMPLE = '[scenario] and, below it, group_at_risk = "..."'


class Scenario(BaseModel):
    """A bias scenario as prEN 18283 has it (six fields), and who measured for what. Every field is free text."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    group_at_risk: str = Field("", title="Group at risk")
    hazard: str = Field("", title="Hazard")
    measurement: str = Field("", title="Measurement")
    acceptability_threshold: str = Field("", title="Acceptability threshold")
    mitigation: str = Field("", title="Mitigation")
    review_trigger: str = Field("", title="Review trigger")
    purpose: str = Field("", title="Intended purpose of the system")
    conducted_by: str = Field("", title="Conducted by")
    signed: str = Field("", title="Date and signature")

    def stated(self) -> tuple[tuple[str, str], ...]:
        """Return the name of each field and its statement, or a note that there is none."""
        fields = type(self).model_fields
        return tuple((str(field.title), getattr(self, name) or "not stated") for name, field in fields.items())

    def missing(self, names: Sequence[str]) -> list[str]:
        """Return the titles of those of the named fields that are not stated."""
        fields = type(self).model_fields
        return [str(fields[name].title).lower() for name in names if not getattr(self, name)]


def read_scenario(file: Path) -> Scenario:
    """Read the table ``[scenario]`` of a TOML file. Other tables of the file are ignored."""
    if not is_file(file):
        raise BvfError(f"{file}: no file", f"write one with {EXAMPLE}")
    table = parse_toml(read_text(file), str(file)).get("scenario")
    if not isinstance(table, dict):
        raise BvfError(f"{file}: no table [scenario]", f"write {EXAMPLE}")
    try:
        return Scenario.model_validate(table)
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0])
        if field not in Scenario.model_fields:
            hint = nearest(field, list(Scenario.model_fields))
            raise BvfError(f'{file}: [scenario] has no field "{field}"', hint) from error
        raise BvfError(f"{file}: [scenario] {field} is not a text", f'write {field} = "..."') from error


SCENARIO_FIELDS = ("group_at_risk", "hazard", "measurement", "acceptability_threshold", "mitigation", "review_trigger")
"""The fields of a bias scenario in prEN 18283."""
RULE_COLUMNS = ("rule", "asks for", "see", "missing")
UNKNOWN = "bvf cannot tell: whether it suffices is for the auditor"


Source = tuple[str, ResultBase, Provenance | None]
"""The name of a result, the result, and where it comes from, if that is known."""


def audit_parts(scenario: Scenario, results: Sequence[Source]) -> list[Part]:
    """Return sections for auditors: the scenario, and subject and method of each result."""
    rules = Section("What rules ask for", RULE_COLUMNS, _rules(scenario, results), names=4)
    return [Part("audit", "For auditors: the scenario", (Facts(scenario.stated()), rules)), _provenance(results)]


def _rules(scenario: Scenario, results: Sequence[Source]) -> list[tuple[str, str, str, str]]:
    """A row per demand of a rule: where the page answers it, and what is missing there."""
    folders = ", ".join(f"folder of {name}" for name, _, source in results if source is None)
    signature = ", ".join(scenario.missing(("conducted_by", "signed")))
    fields = ", ".join(scenario.missing(SCENARIO_FIELDS))
    logs = ", ".join(filter(None, (folders, signature)))
    annex, whole = "EU AI Act, Annex IV 2(g)", "the whole page"
    return [
        (annex, "validation and testing procedures, and the data used", "Provenance", folders or UNKNOWN),
        (annex, "metrics, and potentially discriminatory impacts", "What was found; the part of each model", UNKNOWN),
        (annex, "test logs and reports, dated and signed", "Provenance; date and signature above", logs or UNKNOWN),
        ("NIST AI RMF, MEASURE 2.11", "fairness and bias are evaluated, and results documented", whole, UNKNOWN),
        ("prEN 18283", "bias scenario: six fields", "Scenario", fields or "none of the fields is empty"),
    ]


def _bound(result: ResultBase) -> str:
    return f"{result.deviation_bound:.1g}" if result.deviation_bound else "sampled" if result.samples else "exact"


LIMITS: tuple[Column[Source], ...] = (
    Column("model", lambda each: each[0]),
    Column("candidate mass", lambda each: each[1].candidate_mass.in_percent(each[1].candidate_mass.mean)),
    Column("its 5% quantile", lambda each: each[1].candidate_mass.in_percent(each[1].candidate_mass.quantile_05)),
    Column("from prompts", lambda each: f"{each[1].candidate_mass.prompts:,}"),
    Column("contexts", lambda each: f"{each[1].number_of_contexts:,}"),
    Column("effective contexts", lambda each: f"{each[1].effective_contexts:.1f}"),
    Column("missing", lambda each: f"{each[1].missing:,} of {each[1].prompts:,}"),
    Column("bound", lambda each: _bound(each[1])),
    Column("batches differ by", lambda each: f"{each[2].record.check.batch_deviation:.1g}" if each[2] else ""),
)


def limits_part(results: Sequence[Source]) -> Part:
    """Return the section on the limits of the figures: candidate mass, checks, contexts, notes."""
    rests = table("What the figures rest on", LIMITS, results)
    notes = [
        *(
            f"{name}: candidate mass in each format: {mass.of_formats}."
            for name, result, _ in results
            if (mass := result.candidate_mass).by_format
        ),
        *(f"{name}: {sentence}." for name, result, _ in results for sentence in (*result.warnings, *result.notes)),
    ]
    legend = (
        "Candidate mass: the share of the probability that the measured words have (of generated texts: the share that "
        "was read), on average over the prompts on which it was measured (from prompts). Effective contexts: number of "
        "contexts of equal weight that would vary as much. Bound: no class probability is further from the exact one. "
        "Batches differ by: largest difference of a word's probability between a batch and its prompts alone."
    )
    return Part("limits", "Candidate mass, checks, limits", (rests, legend, *notes))


def _provenance(results: Sequence[Source]) -> Part:
    """The part on where results come from: facts that all share stand once, then what is of one result alone."""
    of_each = [_facts(result, source) for _, result, source in results]
    shared = tuple(fact for fact in of_each[0] if all(fact in facts for facts in of_each))
    blocks: list[Block] = [Facts(shared)]
    for (name, result, source), facts in zip(results, of_each, strict=True):
        if len(results) > 1:
            blocks.append(f"{name}:")
        own = tuple(fact for fact in facts if fact not in shared)
        blocks += [Facts(own)] if own else []
        if source is None:
            blocks.append("The folder of this result is not known, so its model and questions cannot be shown.")
        else:
            blocks += [Facts(tuple(invocations(source))), Code(commands(result, source))]
    return Part("provenance", "Provenance", tuple(blocks), 3)


def _facts(result: ResultBase, source: Provenance | None) -> list[tuple[str, str]]:
    """Names and values of facts on the method of a result, its model and its questions."""
    choices = f"criterion {result.criterion}, reference {result.reference}, group weights {result.group_weights}"
    method = [
        ("analysis", choices),
        ("scale", getattr(result, "scale", "")),
        ("margin", result.margin),
        ("intervals", _intervals(result)),
        ("multiplicity", "Intervals are of one figure each. With many groups, some intervals miss by chance alone."),
        ("digest of the measurement", result.measurement),
    ]
    known = [(key, value) for key, value in method if value]
    if source is None:
        return known
    labels = [("label", f"{key}={value}") for key, value in source.record.labels.items()]
    return [*known, *subject(source.record.model), *questions(source.record.asked), *labels]


def _intervals(result: ResultBase) -> str:
    uncertainty = result.uncertainty
    if uncertainty.undefined:
        return f"none: {uncertainty.why_none}"
    units = "" if uncertainty.units is None else f"{uncertainty.units:,.1f} ".replace(".0 ", " ")
    drawn = f"{units}{uncertainty.unit}s"
    if uncertainty.draws is not None:
        drawn = f"{uncertainty.draws:,} contexts"
    return f"{' '.join(what_of([result]))}; drawn independently: {drawn}"
