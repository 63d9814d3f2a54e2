"""A miner without a parser, for tests of everything around one: it finds "The X said that Y"."""

import os
import re
import time

from bvf import Provider, hookimpl
from bvf.domain.context import Template
from bvf.interfaces.miner import Found, Match, Miner, Span

SENTENCE = re.compile(r"[^.]+\.")
SAID = re.compile(r"The (\w+) (\w+) that (he|she)\b")


class Toy(Miner):
    script = "LATIN"
    models = "none"

    def __init__(self, request):
        self.request = request

    def find(self, documents):
        if count := os.environ.get("TOY_COUNT"):
            with open(count, "a") as file:
                file.write(f"{' '.join(document.id for document in documents)}\n")
        time.sleep(float(os.environ.get("TOY_SECONDS", "0")))
        found = Found()
        for document in documents:
            for sentence in SENTENCE.finditer(document.text):
                found.sentences += 1
                said = SAID.search(document.text, sentence.start(), sentence.end())
                if not said:
                    found.dropped["nobody says that"] += 1
                    continue
                found.parsed += 1
                found.matches.append(
                    Match(
                        Template(f"The [X] {said[2]} that [Y]"),
                        document,
                        Span(*sentence.span()),
                        Span(*said.span(1)),
                        Span(*said.span(3)),
                        verb=said[2],
                        family="reporting",
                        tense="Past",
                    )
                )
        return found


@hookimpl
def bvf_miners():
    return [Provider("toy", Toy, "The X said that Y", language="en")]
