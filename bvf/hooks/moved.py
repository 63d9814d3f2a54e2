"""New names of modules that moved, for a plugin that was written before."""

MOVED = {
    "bvf.analyses.compare.pictures": "bvf_report.pictures.compare",
    "bvf.analyses.contexts": "bvf_insights.contexts",
    "bvf.analyses.explain": "bvf_insights.explain",
    "bvf.analyses.knowledge": "bvf_knowledge",
    "bvf.analyses.measures": "bvf_insights.measures",
    "bvf.analyses.plan": "bvf_insights.plan",
    "bvf.analyses.regress": "bvf_insights.regress",
    "bvf.analyses.risk.controls.pictures": "bvf_report.pictures.controls",
    "bvf.analyses.risk.pictures": "bvf_report.pictures.risk",
    "bvf.export": "bvf_report.export",
    "bvf.files.corpora": "bvf_mining.corpora",
    "bvf.files.dumps": "bvf_mining.dumps",
    "bvf.files.remote": "bvf_mining.remote",
    "bvf.files.wikitext": "bvf_mining.wikitext",
    "bvf.mining": "bvf_mining",
    "bvf.plot": "bvf_report.plot",
    "bvf.report": "bvf_report",
    "bvf.scaffold": "bvf_testing.scaffold",
    "bvf.testing": "bvf_testing",
}


def where_it_is_now(error: BaseException) -> str:
    """Return ``; bvf.testing is bvf_testing now`` where an import failed for a module that moved; else an empty text.

    >>> where_it_is_now(ModuleNotFoundError("No module named 'bvf.testing'", name="bvf.testing"))
    '; bvf.testing is bvf_testing now'
    """
    name = getattr(error, "name", None) if isinstance(error, ImportError) else None
    parts = str(name or "").split(".")
    for length in range(len(parts), 1, -1):
        old = ".".join(parts[:length])
        if old in MOVED:
            return f"; {old} is {MOVED[old]} now"
    return ""
