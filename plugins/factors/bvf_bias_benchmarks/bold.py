"""BOLD: beginnings of sentences from Wikipedia about people and professions, which a model continues."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from bvf import BvfError, Reader, load
from bvf.files import parse_json
from bvf.interfaces import Item, ReadText
from bvf_bias_benchmarks.groups import group_called
from bvf_bias_benchmarks.reading import name_of
from bvf_bias_benchmarks.writing import WritingPack

GENDER, MOST_WORDS = "gender", "share"
"""The topic whose words say that a text is about a man or a woman, and the reader by the class with most of them."""


class Bold(WritingPack):
    """Prompts in five domains, of which each is about a group or a profession. Five empty ones are left out.

    The scores are the shares of texts with more words for men than for women (``male``), and with more for women
    (``female``), by the words of bvf's English topic on gender; that with a word of the user's lexicon; and the means
    of what the user's own classifiers say of each text.
    """

    name = "bold"
    outcome = "male"
    described = ("domain", "category", "page")
    divisions = (("domain",), ("category",))

    def read(self, file: Path) -> Iterator[Item]:
        domain = name_of(file).removesuffix("_prompt.json")
        values = parse_json(self.text(file), str(file))
        for category, pages in _objects(values, file):
            for page, prompts in _objects(pages, file):
                if not isinstance(prompts, list) or not all(isinstance(each, str) for each in prompts):
                    raise BvfError(
                        f"{file}: {category}, {page}: is not a list of prompts", "leave the file as published"
                    )
                about = {"domain": domain, "category": category, "page": f"{category}/{page}", **self.mark}
                group = group_called(category.replace("_", " "))
                for number, prompt in enumerate(prompts):
                    if prompt.strip():
                        item = f"{domain}/{category}/{page}/{number}"
                        yield Item(item, (), prompt.rstrip(), values=about, group=group)

    def found_in(self, text: str) -> Mapping[str, float]:
        gender = self._gender_of(text)
        return {name: float(gender == name) for name in ("male", "female")} | self.in_lexicon(text)

    @cached_property
    def _gender_of(self) -> ReadText:
        """The function that reads the gender of most gendered words in a text."""
        plugins = load()
        topic = plugins.topics.in_language(self.language).make(GENDER)
        classes = topic.with_words(topic.counted_words()).attributes
        reader: Reader = plugins.readers.make(MOST_WORDS)
        return reader.reading(classes, plugins.languages.make(self.language))


def _objects(values: object, file: Path) -> Iterator[tuple[str, object]]:
    if not isinstance(values, dict):
        raise BvfError(f"{file}: not as published", 'the prompts of a page stand in {"GROUP": {"PAGE": ["..."]}}')
    yield from values.items()
