"""The errors that a user can mend, each a line that says what, where, and what would be right."""


class BvfError(Exception):
    """Something the user can mend; the command line prints it as one line and exits with 2.

    Args:
        message: What is wrong and where, one line.
        hint: What would be right, one line; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ContractError(BvfError):
    """A plugin's object broke the contract of its interface; names the class."""


class PluginError(BvfError):
    """A plugin could not be loaded, or a name that plugins offer is unknown or ambiguous."""


class ScoringError(BvfError):
    """A model gave something that is no probability; names the model and the prompt."""


class OutOfMemoryError(BvfError):
    """Even the smallest batch did not fit the device."""
