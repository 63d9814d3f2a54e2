"""Regular expressions that users write: checked where they are declared, and searched for a limited time."""

from bvf.errors import BvfError

SECONDS = 1.0
"""The longest search in one text. Most take microseconds; some expressions would take years."""


def check_expression(text: str) -> None:
    """Raise `ValueError` if a text is not a regular expression."""
    import regex  # which --help does without

    try:
        regex.compile(text)
    except (regex.error, RecursionError, OverflowError) as error:
        raise ValueError(f'"{text}" is not a regular expression: {error}') from error


def is_found(expression: str, text: str, where: str) -> bool:
    """Whether a regular expression is found in a text. ``where`` is the place of the text, for the message.

    Raises:
        BvfError: The search takes too long.
    """
    import regex

    try:
        return regex.search(expression, text, timeout=SECONDS) is not None
    except TimeoutError as error:
        raise BvfError(
            f'{where}: "{expression}" is not decided after {SECONDS:g} s in a text of {len(text):,} characters',
            "a repetition in a repetition, such as (a+)+, takes this long: write a+",
        ) from error
