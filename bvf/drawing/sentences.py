"""Sentences for the captions of pictures."""

from bvf.tables.words import counted, percent


def caption_of(*sentences: str) -> str:
    """Return sentences as a caption of one line; empty sentences are left out."""
    return " ".join(filter(None, sentences))


def groups_shown(number: int, of: int, called: str = "group") -> str:
    """Return a phrase on how many groups a picture shows: ``number`` of ``of``. ``called`` is the noun for one.

    >>> groups_shown(4, 6)
    '4 of 6 groups, from both ends of their order'
    """
    return counted(of, called) if number == of else f"{number} of {of} {called}s, from both ends of their order"


def what_bars_are(level: float | None, undefined: str) -> str:
    """Return a sentence on the bars of a picture: intervals of ``level``; for None, that ``undefined`` is why not."""
    if level is None:
        return f"No intervals: {undefined}." if undefined else "No intervals."
    return f"Bars: intervals of {percent(level)} for other contexts of the kind."
