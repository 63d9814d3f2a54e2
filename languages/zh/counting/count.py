"""Count the templates of the gender contexts: ``python languages/zh/counting/count.py ../shared/data/corpora/zh``.

A template occurs at every 他 or 她 (not 他们, 她们) in the corpora that directly follows the text between its slots:
``[X]说[Y]`` at every 说他 and 说她. If several templates match, only the longest counts: 不知道他 does not count for
知道他. Text left of ``[X]`` must match too, with one to eight characters for ``[X]``. Not counted are words that only
end like the verb (小说), and the subjects 我 and 你, who are not he or she. Repeated lines are read once.

All templates are written with the same clause after ``[Y]``, which makes it a subject (`bvf_zh.rules.CLAUSE`).
"""

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bvf_mining import corpora
from bvf_mining.replicates import replicate_counts
from bvf_zh.rules import CLAUSE

from bvf.files import Replicates, replicates_of

HERE = Path(__file__).resolve().parent
CONTEXTS = HERE.parent / "bvf_zh" / "contexts"
CORPORA = ("prose", "wikipedia", "tatoeba")
LEFT_OUT = "zhuziqing/"
HEAVIEST = 10
PRONOUN = re.compile("[他她](?!们)")
SPEAKERS = ("我", "你", "您", "咱", "我们", "你们", "您们", "咱们")
OTHER_WORDS = (
    *("小说", "传说", "据说", "听说", "听见说", "听人说", "都说", "再说", "虽说", "话说", "且说", "要说"),
    *("若说", "如说", "别说", "来说", "就是说", "照说", "按说", "老实说", "坦率地说", "可以说"),
    *("应该说", "不能说", "不用说", "不消说", "换句话说", "一般地说", "总的说", "思想", "理想", "梦想"),
    *("空想", "想一想", "想了一想", "想想", "没法想", "料想", "无可否认", "自以为"),
)
LOOK_BACK = 40


@dataclass(frozen=True)
class Shape:
    """The text of a template left of ``[X]`` and between the slots.

    ``template`` is empty for a text of `OTHER_WORDS`.
    """

    template: str
    begin: str
    between: str

    def subject(self, before: str) -> str | None:
        """Return the text in place of ``[X]``, up to 8 characters; None if ``before`` does not fit the template."""
        if not before.endswith(self.between):
            return None
        least = 1 if self.begin else 0
        match = re.search(f"{self.begin}([\u4e00-\u9fff]{{{least},8}})$", before.removesuffix(self.between))
        return match[1] if match else None


def shapes_of(templates: Iterable[str]) -> list[Shape]:
    """Return the shapes of the templates and of `OTHER_WORDS`. Shapes with longer text come first."""
    shapes = [Shape("", "", word + comma) for word in OTHER_WORDS for comma in ("", "，")]
    for template in templates:
        begin, _, rest = template.partition("[X]")
        shapes.append(Shape(template, begin, rest.removesuffix("[Y]")))
    return sorted(shapes, key=lambda shape: (-len(shape.between), -len(shape.begin)))


def count(templates: Iterable[str], lines: Iterable[str]) -> Counter[str]:
    """Return how often each template occurs."""
    shapes = shapes_of(templates)
    counts: Counter[str] = Counter()
    for line in lines:
        for pronoun in PRONOUN.finditer(line):
            before = line[max(0, pronoun.start() - LOOK_BACK) : pronoun.start()]
            counts.update(_template(shapes, before))
    return counts


def count_by_document(templates: Sequence[str], lines: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """Return the counts of templates by document name. Documents without templates are left out."""
    documents: dict[str, list[str]] = {}
    for name, line in lines:
        documents.setdefault(name, []).append(line)
    counts = {name: count(templates, of_document) for name, of_document in documents.items()}
    return {name: counter for name, counter in counts.items() if counter}


def lines_in(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each distinct line of the corpora, and the name of the first document that contains it."""
    seen = set()
    for name in CORPORA:
        for content in map(json.loads, corpora.lines_in(folder / f"{name}.jsonl.zst")):
            lines = [] if content["id"].startswith(LEFT_OUT) else content["text"].splitlines()
            yield from ((content["id"], line) for line in dict.fromkeys(lines) if line not in seen)
            seen.update(lines)


def write(corpora: Path, folder: Path = CONTEXTS) -> int:
    """Count the templates of ``gender.txt``, and write those that occur.

    The most frequent ones are in another file too.

    Also write their counts in bootstrap resamples of the documents. Return the number of documents with a template.
    """
    templates = (HERE / "gender.txt").read_text(encoding="utf-8").split()
    documents = count_by_document(templates, lines_in(corpora))
    counts = sum(documents.values(), Counter())
    counted = sorted(((t, counts[t]) for t in templates if counts[t]), key=lambda row: -row[1])
    redrawn = replicate_counts(documents.items(), tuple(template for template, _ in counted))
    rows = [(f"{template}{CLAUSE}", number) for template, number in counted]
    texts = tuple(template for template, _ in rows)
    everything = Replicates(texts, np.array([number for _, number in rows], dtype=np.float64), redrawn)
    everything.write(replicates_of(folder / "gender-all.csv"))
    for name, written in (("gender-all.csv", rows), ("gender.csv", rows[:HEAVIEST])):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("template", "count"), *written])
    return len(documents)


def _template(shapes: list[Shape], before: str) -> list[str]:
    """The longest template with which ``before`` ends, as a list; empty if it is not counted."""
    for shape in shapes:
        subject = shape.subject(before)
        if subject is not None:
            return [shape.template] if shape.template and not subject.endswith(SPEAKERS) else []
    return []


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} FOLDER_OF_CORPORA")
    print(f"in {write(Path(sys.argv[1]))} documents")
