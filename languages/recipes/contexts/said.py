"""Mine contexts in which a word of a topic is said of a person: ``python said.py TOPIC CORPORA MARKS.csv OUT.csv``.

CORPORA is the folder ``en`` of prepare.py. *Then the young doctor ...* gives ``Then the [Y] [X]``, *she is too young*
gives ``The [X] is too [Y]``. A sentence is dropped if a name, a child, a parent or a word of the topic stands before,
and if *a* or *an* does, which tells some classes from others. Counts are natural. What a reader did not mark ok in
MARKS.csv is left out; /dev/null leaves out nothing.
"""

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from bvf_mining.tally import Finding, Tally
from rows import read, write_set

from bvf.files import Replicates

PACK = Path(__file__).resolve().parents[2] / "en" / "bvf_en"
LEXICON, NAMES = (tomllib.loads((PACK / f"mining/{name}.toml").read_text("utf-8")) for name in ("lexicon", "names"))
ENDS = re.compile(LEXICON["sentence_end"])
BEFORE = re.compile(r"the|this|that|every|one|by|with|from|of|and", re.IGNORECASE)
VERBS = r"(?:is|was|has been|had been|looks|looked|seems|seemed)"
ADVERBS = "(?:too|very|so|not|quite|rather|also|really|pretty|extremely|only)"
AFTER = "(?=[.,;!?]|$| (?:to|for|when|now|and|but|then|by|on his|on her) )"
TELLING = "gr[ae]y|years?|aged?|boys?|girls?|child(?:ren)?|youth|sons?|daughters?|fathers?|mothers?|parents?"
MOST_WORDS = 14


def either(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


class Shapes:
    """Both shapes, for the words of a topic, and why sentences of the first were dropped."""

    def __init__(self, topic: str) -> None:
        known = tomllib.loads((PACK / f"topics/{topic}.toml").read_text("utf-8"))
        self._words = words = either(word for attribute in known["attributes"] for word in attribute["words"])
        people = either({*LEXICON["persons"].split(), *known["groups"]} - {*LEXICON["no_occupations"].split()})
        subjects = f"[Hh]e|[Ss]he|[Tt]he {people}|{either(' '.join(NAMES.values()).split())}"
        self._before = re.compile(rf"((?:[^.?!;:\"“”()]* )?([\w-]+)) {words} {people}\b")
        self._after = re.compile(rf"\b(?:{subjects}) ({VERBS}(?: {ADVERBS})?) {words}{AFTER}")
        self.dropped = Counter[str]()

    def found(self, sentence: str, text: str) -> Iterator[str]:
        """Yield the templates of a sentence of a text."""
        if not re.search(rf"\b{self._words}\b", sentence):
            return
        if match := self._before.match(sentence):
            left, reason = match[1], self._reason(match[1], match[2], text)
            self.dropped[reason] += 1
            yield from () if reason else (f"{left[0].upper()}{left[1:]} [Y] [X]",)
        yield from (f"The [X] {verb} [Y]" for verb in self._after.findall(sentence))

    def _reason(self, left: str, last: str, text: str) -> str:
        """Return why what stands before the word makes no template, or nothing."""
        if not BEFORE.fullmatch(last):
            return "a or an" if last.lower() in ("a", "an") else "another word before Y"
        first = left.split()[0].lower()
        named = not BEFORE.fullmatch(first) and not re.search(rf"\b{re.escape(first)}\b", text)
        if named or not re.fullmatch(r"[A-Z]?(?:[a-z]|\bI\b|['’,]|\b-\b| )*", left):
            return "a name or a quotation"
        told = re.search(rf"\b(?:(?i:{TELLING})|{self._words})\b", left)
        return "tells Y" if told else "long" if len(left.split()) > MOST_WORDS else ""


def main(topic: str, corpora: Path, marks: Path, out: Path) -> None:
    shapes, tally = Shapes(topic), Tally()
    files = (file.read_text("utf-8") for file in sorted(corpora.glob("*.jsonl")))
    for row in (json.loads(line) for text in files for line in text.strip().split("\n")):
        for start, stop in pairwise([0, *(match.end() for match in ENDS.finditer(row["text"]))]):
            sentence = " ".join(row["text"][start:stop].split()).lstrip("\"“‘'(")
            place = (row["id"], sentence, "", "", start, stop, start, stop)
            tally.add(Finding(*place, template, "", "", "") for template in shapes.found(sentence, row["text"]))
    lines, refused = tally.lines(), {row["template"] for row in read(marks) if row["mark"] != "ok"}
    texts = tuple(line.template for line in lines)
    whole = Replicates(texts, np.array([float(line.count) for line in lines]), tally.replicates(texts))
    rows = [{name: str(getattr(line, name)) for name in ("template", "count", "documents")} for line in lines]
    print(tally.kept, "matches", tally.documents, "documents", len(rows), "templates", shapes.dropped)
    write_set([row for row in rows if row["template"] not in refused], whole, out)


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
