"""The errors that a user can mend, each a line that says what, where, and what would be right."""

import difflib


class BvfError(Exception):
    """Something the user can mend; the command line prints it as one line and exits with 2.

    Args:
        message: What is wrong and where; made one line.
        hint: What would be right; made one line, may be empty. A traceback shows it too.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(_one_line(message))
        self.hint = _one_line(hint)
        if self.hint:
            self.add_note(f"hint: {self.hint}")


class ContractError(BvfError):
    """A plugin's object broke the contract of its interface; names the class."""


class PluginError(BvfError):
    """A plugin could not be loaded, or a name that plugins offer is unknown or ambiguous."""


class ScoringError(BvfError):
    """A model gave something that is no probability; names the model and the prompt."""


class OutOfMemoryError(BvfError):
    """Even the smallest batch did not fit the device."""


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def nearest(name: str, names: list[str]) -> str:
    """Return a hint with up to three names that look like ``name``."""
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"there are {', '.join(names)}" if names else "no plugin offers one"
