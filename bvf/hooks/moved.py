"""New names of modules that moved, for a plugin that was written before."""

MOVED = {
    "bvf_report.pictures.compare": "bvf_report.pictures.compare",
    "bvf_insights.contexts": "bvf_insights.contexts",
    "bvf_insights.explain": "bvf_insights.explain",
    "bvf_knowledge": "bvf_knowledge",
    "bvf_insights.measures": "bvf_insights.measures",
    "bvf_insights.plan": "bvf_insights.plan",
    "bvf_insights.regress": "bvf_insights.regress",
    "bvf_report.pictures.controls": "bvf_report.pictures.controls",
    "bvf_report.pictures.risk": "bvf_report.pictures.risk",
    "bvf_report.export": "bvf_report.export",
    "bvf_mining.corpora": "bvf_mining.corpora",
    "bvf_mining.dumps": "bvf_mining.dumps",
    "bvf_mining.remote": "bvf_mining.remote",
    "bvf_mining.wikitext": "bvf_mining.wikitext",
    "bvf_mining": "bvf_mining",
    "bvf.plot": "bvf_report.plot",
    "bvf.report": "bvf_report",
    "bvf_testing.scaffold": "bvf_testing.scaffold",
    "bvf_testing": "bvf_testing",
}


def where_it_is_now(error: BaseException) -> str:
    """Return ``; bvf_testing is bvf_testing now`` where an import failed for a module that moved; else an empty text.

    >>> where_it_is_now(ModuleNotFoundError("No module named 'bvf_testing'", name="bvf_testing"))
    '; bvf_testing is bvf_testing now'
    """
    name = getattr(error, "name", None) if isinstance(error, ImportError) else None
    parts = str(name or "").split(".")
    for length in range(len(parts), 1, -1):
        old = ".".join(parts[:length])
        if old in MOVED:
            return f"; {old} is {MOVED[old]} now"
    return ""
