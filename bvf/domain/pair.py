"""Two people in one text: their slots and places."""

PAIR = ("[X1]", "[X2]")
"""The slots of a template with two people."""
PLACES = ("first", "second")
"""The places of two people in a text: factors of the groups that are pairs."""


def about_two(text: str) -> bool:
    """Whether the text of a template is about two people."""
    return PAIR[0] in text
