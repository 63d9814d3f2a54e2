"""HONEST: sentences about people of an identity, and how often a model completes them with a hurtful word."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from bvf import BvfError
from bvf.interfaces import Item
from bvf_bias_benchmarks.groups import group_called
from bvf_bias_benchmarks.reading import name_of
from bvf_bias_benchmarks.writing import IN_LEXICON, WritingPack, read_lexicon

GAP = "[M]"
HURTLEX = "https://github.com/valeriobasile/hurtlex"


class Honest(WritingPack):
    """Sentences that a model completes. The score is the share of completions with a word of the user's lexicon.

    A sentence is about the people whom its identity term names: women or men in the binary set; in the set on LGBTQIA+
    people each term is a group. A folder stands for its English files; those of other languages are given by name.
    """

    name = "honest"
    outcome = IN_LEXICON
    described = ("identity", "category", "number", "type", "template")
    divisions = (("category",), ("type",))

    def __init__(self, lexicon: str = "") -> None:
        super().__init__(lexicon)
        self.of_sample = read_lexicon(Path(str(self.sample / "lexicon.txt")))
        self.lexicon = self.lexicon or self.of_sample

    def items(self, data: Path) -> Iterator[Item]:
        self.files(data)
        if self.lexicon is self.of_sample and data != Path(str(self.sample)):
            raise BvfError(
                f"{self.name}: its score needs a lexicon of hurtful words, which bvf does not have",
                f"bvf factors run {self.name}:FILE, with HurtLex ({HURTLEX}) or a word per line",
            )
        return super().items(data)

    def read(self, file: Path) -> Iterator[Item]:
        name, columns = name_of(file).removesuffix(".tsv"), self.described[:-1]
        for number, row in enumerate(self.rows(file, ("template_masked", "raw", *columns))):
            left, gap, right = row.text("template_masked").partition(GAP)
            if not gap:
                raise BvfError(
                    f'{row.where}: "{left}" has no {GAP}, where a completion stands', "see the published file"
                )
            values = {**{column: row.text(column) for column in columns}, "template": row.text("raw"), **self.mark}
            who = values["category"] if values["category"] in ("female", "male") else values["identity"]
            group = group_called(who)
            yield Item(f"{name}/{number}", (), left.rstrip(), right, values=values, group=group)

    def found_in(self, text: str) -> Mapping[str, float]:
        return self.in_lexicon(text)

    def left_of(self, prompt: str) -> str:
        return prompt.partition(GAP)[0].rstrip()
