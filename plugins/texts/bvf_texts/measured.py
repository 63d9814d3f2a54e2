"""How often readers were right in the labelled texts of the project, which no interval has."""

from importlib.resources import files

from pydantic import TypeAdapter

from bvf.domain import Asked, Record
from bvf.files import digest_of
from bvf.tables import in_a_list

FILE = files(__package__) / "measured.json"
"""Made from the labelled texts of the tests: ``python tests/helpers/labelled_texts.py``."""


class Measured(Record):
    """How a reader read labelled texts that were held out while its rules were written."""

    reader: str
    language: str
    words: str  # the digest of the words of each class
    models: tuple[str, ...]
    texts: int
    read: int
    right: int
    labelled: int

    @property
    def sentence(self) -> str:
        """Its precision and recall, and that they are not in the intervals."""
        return (
            f"intervals leave out the error of the reader {self.reader}: in {self.texts} labelled texts of "
            f"{in_a_list(self.models)} {self.right} of the {self.read} classes that it read were right (precision "
            f"{self.right / self.read:.0%}), and it found {self.right} of {self.labelled} (recall "
            f"{self.right / self.labelled:.0%}); label texts of this model to have it in: --reader {self.reader}:FILE"
        )


def measured(reader: str, asked: Asked) -> list[Measured]:
    """Return what is known of a reader in the language and with the words of some questions; empty: nothing is."""
    known = TypeAdapter(list[Measured]).validate_json(FILE.read_text(encoding="utf-8"))
    its = reader, asked.language, digest_of({each.name: sorted(each.words) for each in asked.attributes})
    return [each for each in known if (each.reader, each.language, each.words) == its]
