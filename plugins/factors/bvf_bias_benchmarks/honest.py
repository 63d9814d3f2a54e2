"""HONEST: sentences about people of an identity, and how often a model completes them with a hurtful word."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from bvf.errors import BvfError
from bvf.interfaces.benchmark import Item
from bvf_bias_benchmarks.groups import group_called
from bvf_bias_benchmarks.lexicon import read_lexicon
from bvf_bias_benchmarks.pack import origin
from bvf_bias_benchmarks.reading import name_of
from bvf_bias_benchmarks.writing import IN_LEXICON, WritingPack

GAP = "[M]"
BINARY = ("female", "male")
SAMPLE_LEXICON = "lexicon.txt"
HURTLEX = "https://github.com/valeriobasile/hurtlex"


class Honest(WritingPack):
    """Sentences that a model completes. The score is the share of completions with a word of the user's lexicon.

    A sentence is about the people whom its identity term names: women or men in the binary set; in the set on LGBTQIA+
    people each term is a group. A folder stands for its English files; those of other languages are given by name.
    """

    name = "honest"
    title = "HONEST"
    language = "en"
    outcome = IN_LEXICON
    columns = ("identity", "category", "number", "type", "template")
    divisions = (("category",), ("type",))
    patterns = ("*_en.tsv", "en_template.tsv", "*/en_template.tsv")
    origin = origin(
        "honest",
        url="https://github.com/MilaNLProc/honest",
        licence="MIT",
        citation="Nozza et al. 2021, HONEST: Measuring Hurtful Sentence Completion in Language Models, NAACL; Nozza et "
        "al. 2022, Measuring Harmful Sentence Completion in Language Models for LGBTQIA+ Individuals, LT-EDI",
    )

    def __init__(self, lexicon: str = "") -> None:
        super().__init__(lexicon)
        self.of_sample = read_lexicon(Path(str(self.sample / SAMPLE_LEXICON)))
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
        name = name_of(file).removesuffix(".tsv")
        for number, row in enumerate(self.rows(file, ("template_masked", "raw", *self.columns[:-1]))):
            prompt = row.text("template_masked")
            if GAP not in prompt:
                raise BvfError(
                    f'{row.where}: "{prompt}" has no {GAP}, where a completion stands', "see the published file"
                )
            values = {column: row.text(column) for column in self.columns[:-1]} | {
                "template": row.text("raw"),
                **self.mark,
            }
            who = values["category"] if values["category"] in BINARY else values["identity"]
            yield Item(
                f"{name}/{number}",
                (),
                self.left_of(prompt),
                prompt.partition(GAP)[2],
                values=values,
                group=group_called(who),
            )

    def found_in(self, text: str) -> Mapping[str, float]:
        return self.in_lexicon(text)

    def left_of(self, prompt: str) -> str:
        return prompt.partition(GAP)[0].rstrip()
