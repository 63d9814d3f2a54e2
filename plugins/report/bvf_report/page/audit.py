"""Sections of a report for auditors: scenario, subject, method, decisions, and where each rule is answered."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bvf import BvfError, ResultBase, Section
from bvf.errors import nearest
from bvf.files import is_file, parse_toml, read_text
from bvf.results import Part, what_of
from bvf.study import shares_by_format, small_share
from bvf.tables import Column, table
from bvf_report.page.content import Block, Code, Facts
from bvf_report.page.provenance import Provenance, commands, invocations, questions, subject

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
    Column("candidate mass", lambda each: small_share(each[1].candidate_mass.mean)),
    Column("its 5% quantile", lambda each: small_share(each[1].candidate_mass.quantile_05)),
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
            f"{name}: candidate mass in each format: {shares_by_format(mass)}."
            for name, result, _ in results
            if (mass := result.candidate_mass).by_format
        ),
        *(f"{name}: {sentence}." for name, result, _ in results for sentence in (*result.warnings, *result.notes)),
    ]
    legend = (
        "Candidate mass: the share of the probability that the measured words have, on average over the prompts on "
        "which it was measured (from prompts). Effective contexts: number of contexts of equal "
        "weight that would vary as much. Bound: no class probability is further from the exact one. "
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
        blocks += _measured(result, source)
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


def _measured(result: ResultBase, source: Provenance | None) -> list[Block]:
    """Blocks on the commands that measured a result, and those that repeat it."""
    if source is None:
        return ["The folder of this result is not known, so its model and questions cannot be shown."]
    return [Facts(tuple(invocations(source))), Code(commands(result, source))]


def _intervals(result: ResultBase) -> str:
    uncertainty = result.uncertainty
    if uncertainty.undefined:
        return f"none: {uncertainty.why_none}"
    units = "" if uncertainty.units is None else f"{uncertainty.units:,.1f} ".replace(".0 ", " ")
    drawn = f"{units}{uncertainty.unit}s"
    if uncertainty.draws is not None:
        drawn = f"{uncertainty.draws:,} contexts"
    return f"{' '.join(what_of([result]))}; drawn independently: {drawn}"
