"""New names of modules and objects that moved, for a plugin that was written before."""

import re

MOVED = {
    "bvf.analyses.compare.pictures": "bvf_report.pictures.compare",
    "bvf.analyses.contexts": "bvf_insights.contexts",
    "bvf.analyses.explain": "bvf_insights.explain",
    "bvf.analyses.gate.deciding": "bvf.analyses.gate.result",
    "bvf.analyses.knowledge": "bvf_knowledge",
    "bvf.analyses.measures": "bvf_insights.measures",
    "bvf.analyses.plan": "bvf_insights.plan",
    "bvf.analyses.regress": "bvf_insights.regress",
    "bvf.analyses.risk.controls.pictures": "bvf_report.pictures.controls",
    "bvf.analyses.risk.misread": "bvf_texts.misread",
    "bvf.analyses.risk.pictures": "bvf_report.pictures.risk",
    "bvf.asking.judge": "bvf_texts.judge",
    "bvf.builtin.readers": "bvf_texts.readers",
    "bvf.drawing.lettering": "bvf.drawing.fonts",
    "bvf.export": "bvf_report.export",
    "bvf.files.corpora": "bvf_mining.corpora",
    "bvf.files.dumps": "bvf_mining.dumps",
    "bvf.files.memory": "bvf.files.machine",
    "bvf.files.processors": "bvf.files.machine",
    "bvf.files.remote": "bvf_mining.remote",
    "bvf.files.wikitext": "bvf_mining.dumps",
    "bvf.hooks.imported": "bvf.hooks.importing",
    "bvf.interfaces.Read": "bvf_texts.reader.Read",
    "bvf.interfaces.ReadText": "bvf_texts.reader.ReadText",
    "bvf.interfaces.Unread": "bvf_texts.reader.Unread",
    "bvf.interfaces.reader": "bvf_texts.reader",
    "bvf.interfaces.thinking_backend": "bvf_texts.asking.thoughts_of",
    "bvf.interfaces.thoughts_of": "bvf_texts.asking.thoughts_of",
    "bvf.interfaces.writing": "bvf_texts.asking.written_texts",
    "bvf.interfaces.written_texts": "bvf_texts.asking.written_texts",
    "bvf.mining": "bvf_mining",
    "bvf.plot": "bvf_report.plot",
    "bvf.report": "bvf_report",
    "bvf.results.again": "bvf.results.restore",
    "bvf.results.alike": "bvf.results.compatible",
    "bvf.results.below_tables": "bvf.results.footnotes",
    "bvf.results.chosen": "bvf.results.which",
    "bvf.results.computed": "bvf.results.figure",
    "bvf.results.foreign": "bvf.results.unknown",
    "bvf.results.kept": "bvf.results.store",
    "bvf.results.reported": "bvf.results.plugin_files",
    "bvf.results.shown": "bvf.results.sections",
    "bvf.scaffold": "bvf_testing.scaffold",
    "bvf.stats.comparing.concordance": "bvf_insights.stats.concordance",
    "bvf.stats.comparing.laws": "bvf_insights.stats.laws",
    "bvf.stats.comparing.paired_effects": "bvf_knowledge.stats.intervals",
    "bvf.stats.figures.answer_priors": "bvf_knowledge.stats.candidates",
    "bvf.stats.figures.density": "bvf_report.pictures.risk.distributions",
    "bvf.stats.figures.exceeding": "bvf_insights.stats.laws",
    "bvf.stats.regression": "bvf_factors.stats",
    "bvf.stats.regression.weighted_line": "bvf_insights.stats.weighted_line",
    "bvf.stats.sampling.answers": "bvf_knowledge.stats.intervals",
    "bvf.stats.sampling.components_intervals": "bvf_knowledge.stats.intervals",
    "bvf.stats.variance": "bvf_insights.stats",
    "bvf.stats.variance.components": "bvf.stats.figures.components",
    "bvf.stats.AfterThoughts": "bvf_texts.stats.thoughts.AfterThoughts",
    "bvf.stats.ThoughtRisk": "bvf_texts.stats.thoughts.ThoughtRisk",
    "bvf.stats.sampling.thoughts": "bvf_texts.stats.thoughts",
    "bvf.study.EXACT": "bvf.stats.Exact",
    "bvf.study.apart": "bvf.study.names",
    "bvf.study.said": "bvf_texts.reading",
    "bvf.tables.symbols": "bvf.tables.quantities",
    "bvf.testing": "bvf_testing",
}


def where_it_is_now(error: BaseException) -> str:
    """Return ``; bvf.testing is bvf_testing now`` where an import failed for what moved; else an empty text.

    >>> where_it_is_now(ModuleNotFoundError("No module named 'bvf.testing'", name="bvf.testing"))
    '; bvf.testing is bvf_testing now'
    """
    if not isinstance(error, ImportError):
        return ""
    parts = [*str(error.name or "").split("."), *re.findall(r"^cannot import name '(\w+)'", str(error))]
    for length in range(len(parts), 1, -1):
        old = ".".join(parts[:length])
        if old in MOVED:
            return f"; {old} is {MOVED[old]} now"
    return ""
