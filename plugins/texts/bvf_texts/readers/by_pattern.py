"""The reader by regular expressions of each class, which the user writes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bvf import BvfError, Language
from bvf.domain import Attribute, check_expression, is_found
from bvf.errors import nearest
from bvf.files import read_lists
from bvf_texts.reader import Read, Reader, ReadText, Unread

LONGEST = 200_000
"""The most characters of all expressions: the library takes some seconds for as many."""


class Pattern(Reader):
    r"""``pattern:FILE.toml``: the class of which an expression is found in the text; none if several have one.

    The file has a list of regular expressions for each class, searched without regard to letter case::

        male = ['\bhe\b', '\bhis\b']
        female = ['\bshe\b']

    Raises:
        BvfError: The file has no list of texts, one of them is not a regular expression, or they are too long.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.expressions = read_lists(Path(file))
        length = sum(len(f"(?:{each})|") for expressions in self.expressions.values() for each in expressions)
        if length > LONGEST:
            raise BvfError(f"{file}: expressions of {length:,} characters, and {LONGEST:,} at most are searched")
        for name, expressions in self.expressions.items():
            for each in expressions:
                try:
                    check_expression(each)
                except ValueError as error:
                    raise BvfError(f"{file}: {name}: {error}", r"write it as in '\bhe\b'") from error

    def by(self, classes: Sequence[Attribute], language: Language) -> Mapping[str, Any]:
        return {"expressions": {name: list(each) for name, each in self.expressions.items()}}

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        names = [each.name for each in classes]
        for name in self.expressions:
            if name not in names:
                raise BvfError(f'{self.file}: there is no class "{name}"', nearest(name, names))
        for name in names:
            if name not in self.expressions:
                raise BvfError(f"{self.file}: it has no expressions for the class {name}", f"write {name} = ['...']")
        together = {name: "|".join(f"(?:{each})" for each in self.expressions[name]) for name in names}

        def read(text: str) -> Read:
            found = [name for name, each in together.items() if is_found(f"(?i){each}", text, self.file)]
            if len(found) == 1:
                return found[0]
            return Unread("expressions of several classes" if found else "no expression of a class")

        return read
