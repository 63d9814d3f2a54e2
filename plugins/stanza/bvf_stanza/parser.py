"""Text in, dependency trees out."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from bvf_stanza.tree import Sentence


class Parser(ABC):
    """Reads sentences. Implement `parse` and nothing else.

    Attributes:
        models: What reads the text, for the record of provenance.
    """

    models: str = ""

    @abstractmethod
    def parse(self, texts: Sequence[str], /) -> list[list[Sentence]]:
        """Return the sentences of each text; spans are places in that text."""
