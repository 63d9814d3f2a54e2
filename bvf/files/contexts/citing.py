"""Says how a context set is cited."""

from pathlib import Path

from bvf.domain.context import ContextSet
from bvf.files.contexts.sets import CONTEXT_ENDINGS
from bvf.files.digests import digest_of_contexts
from bvf.tables.words import counted


def contexts_digest(contexts: ContextSet) -> str:
    """Return the digest of a context set, which `measurement.json` of a run with all its contexts has too."""
    rows = zip(contexts.templates, contexts.counts, strict=True)
    return digest_of_contexts(rows)


def cited(contexts: ContextSet) -> str:
    """Return how a context set is cited: its name, size and digest, then what its data card states, else its source."""
    templates = counted(len(contexts.templates), "template")
    end = (contexts.card.citation or contexts.source).strip().rstrip(".")
    named = f"{title_of(contexts)}: a context set of {templates}, digest {contexts_digest(contexts)}"
    return f"{named}. {end}." if end else f"{named}."


def title_of(contexts: ContextSet) -> str:
    """Return the name of a context set; of one that was read from a file, the name of the file without ending."""
    return Path(contexts.name).stem if Path(contexts.name).suffix in CONTEXT_ENDINGS else contexts.name
