"""The parts for auditors: the scenario, the subject, the method, decisions, and where the page answers each rule."""

from collections.abc import Sequence

from bvf.analyses.gate.reports import lines
from bvf.analyses.gate.result import GateResult
from bvf.report.page.content import Block, Code, Facts, Part, plain_table
from bvf.report.page.provenance import Provenance, commands, invocations, questions, subject
from bvf.report.page.scenario import Scenario
from bvf.results.below import what_of
from bvf.results.result import ResultBase
from bvf.study.candidate_mass import small_share

RULES = (
    ("EU AI Act, Annex IV 2(g)", "validation and testing procedures, and the data used", "Method, Provenance"),
    ("EU AI Act, Annex IV 2(g)", "metrics, and potentially discriminatory impacts", "Verdict, Scale, groups"),
    ("EU AI Act, Annex IV 2(g)", "test logs and reports, dated and signed", "Provenance; date and signature above"),
    ("NIST AI RMF, MEASURE 2.11", "fairness and bias are evaluated, and results documented", "the whole page"),
    ("prEN 18283", "bias scenario: six fields", "Scenario"),
)


def audit_parts(
    scenario: Scenario, results: Sequence[tuple[str, ResultBase, Provenance | None]], gates: Sequence[GateResult]
) -> list[Part]:
    """Return the parts for auditors.

    Args:
        scenario: The scenario, as it was stated.
        results: Names of the results, with where they come from.
        gates: The decisions, by folder.
    """
    decided = [f"{gate.folder}: {line}" for gate in gates for line in lines(gate)]
    blocks: list[Block] = [
        Facts(scenario.stated()),
        *(decided or ["Limits: none was given. `bvf report DIR --gate gate.toml` holds figures to limits."]),
        plain_table("Where rules are answered on this page", ("rule", "asks for", "answered in"), RULES, names=3),
    ]
    return [
        Part("audit", "For auditors: the scenario", tuple(blocks)),
        *(part for number, each in enumerate(results) for part in _of_result(number, *each)),
    ]


def limits_part(results: Sequence[tuple[str, ResultBase, Provenance | None]]) -> Part:
    """Return what the figures rest on and what limits them: candidate mass, checks, contexts, notes."""
    rows = []
    for name, result, source in results:
        mass = result.candidate_mass
        bound = f"{result.deviation_bound:.1g}" if result.deviation_bound else "sampled" if result.samples else "exact"
        batch = "" if source is None else f"{source.record.check.batch_deviation:.1g}"
        rows.append(
            (
                name,
                small_share(mass.mean),
                small_share(mass.quantile_05),
                f"{result.number_of_contexts:,}",
                f"{result.effective_contexts:.1f}",
                f"{result.missing:,} of {result.prompts:,}",
                bound,
                batch,
            )
        )
    columns = (
        "model",
        "candidate mass",
        "its 5% quantile",
        "contexts",
        "effective contexts",
        "missing",
        "bound",
        "batches differ by",
    )
    table = plain_table("What the figures rest on", columns, rows)
    notes = [f"{name}: {sentence}." for name, result, _ in results for sentence in (*result.warnings, *result.notes)]
    said = (
        "Candidate mass: how much of what the model would say is measured at all. As good as: number of contexts of "
        "equal weight that would vary as much. Bound: no class probability is further from the exact one. Batches "
        "differ by: largest difference of a word's probability between a batch and its prompts alone."
    )
    return Part("limits", "Candidate mass, checks, limits", (table, said, *notes))


def _of_result(number: int, name: str, result: ResultBase, source: Provenance | None) -> list[Part]:
    method = [
        (
            "analysis",
            f"criterion {result.criterion}, reference {result.reference}, group weights {result.group_weights}",
        ),
        ("scale", getattr(result, "scale", "")),
        ("margin", result.margin),
        ("intervals", _intervals(result)),
        ("multiplicity", "Intervals are of one figure each. With many groups, some intervals miss by chance alone."),
        ("digest of the measurement", result.measurement),
    ]
    blocks: list[Block] = [Facts(tuple((key, value) for key, value in method if value))]
    if source is None:
        blocks.append("The folder of this result is not known, so that nothing is said of its model and questions.")
    else:
        record = source.record
        labels = [("label", f"{key}={value}") for key, value in record.labels.items()]
        blocks += [
            Facts((*subject(record.model), *questions(record.asked), *labels)),
            Facts(tuple(invocations(source))),
            Code(commands(result, source)),
        ]
    return [Part(f"provenance-{number}", f"Provenance: {name}", tuple(blocks), 3)]


def _intervals(result: ResultBase) -> str:
    sure = result.uncertainty
    if sure.undefined:
        return f"none: {sure.undefined}"
    units = "" if sure.units is None else f"{sure.units:,.1f} ".replace(".0 ", " ")
    return f"{' '.join(what_of([result]))}; drawn independently: {units}{sure.unit}s"
