"""Changes of an English template that should not matter to who is meant by ``[Y]``."""

import re

THE = re.compile(r"\b([Tt])he (?=\[X\])")
YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b(?!s)")
STOP = re.compile(r"[.!?]$")
COMMA = re.compile(r",(?= )")


def harmless(template: str) -> dict[str, str]:
    """Return the template with each change that fits it, by the name of the swap.

    >>> harmless("In 2010, the [X] said that [Y]")["year"], harmless("The [X] said that [Y]")["determiner"]
    ('In 2011, the [X] said that [Y]', 'That [X] said that [Y]')
    """
    changed = {
        "stop": STOP.sub("", template) if STOP.search(template) else f"{template}.",
        "comma": COMMA.sub("", template),
        "determiner": THE.sub(r"\1hat ", template),
        "year": YEAR.sub(lambda year: str(int(year[0]) + 1), template),
    }
    return {swap: text for swap, text in changed.items() if text != template}
