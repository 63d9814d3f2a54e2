"""How fast a MediaWiki dump is read, and in how much memory: ``python -m benchmarks mining.dumps [MB]``.

Writes a dump of made-up articles (200 MB of XML by default) and reads it in two processes: pages alone, as a sample
does, and pages with their markup stripped. Seconds are of the processor, which other programs may use meanwhile.
"""

import bz2
import random
import tempfile
from html import escape
from itertools import count
from pathlib import Path

from benchmarks.speed.timing import in_a_process, timed

MEGABYTE = 1_000_000
WORDS = ("nurse", "plumber", "engineer", "ward", "letter", "river", "treaty", "committee", "season", "north", "early")
PAGES_A_STREAM = 100
INFOBOX = "{{Infobox person\n| name = Ada\n| born = {{birth date|1815|12|10}}\n}}\n"
CITED = "<ref>{{cite book|title=Letters|year=1990}}</ref> '''Ada''' left.\n\n"
TABLE = '== Table ==\n{| class="wikitable"\n|-\n| one || two\n|}\n[[File:Ada.jpg|thumb|Ada]]\n[[Category:Nurses]]\n'


def article(number: int, rng: random.Random) -> str:
    """Return a page of made-up sentences with links, references and a table."""
    parts = [INFOBOX]
    for _ in range(rng.randint(10, 40)):
        first, linked, *others = rng.choices(WORDS, k=rng.randint(6, 18))
        said = f"The {first} [[{linked} (place)|{linked}]] {' '.join(others)} said that it was late. "
        parts.append(said + CITED * (rng.random() < 0.25))
    text = escape("".join([*parts, TABLE]))
    return f"<page><title>Page {number}</title><ns>0</ns><revision><text>{text}</text></revision></page>\n"


def write(file: Path, size: int) -> None:
    """Write a dump of so many bytes of XML, compressed by hundreds of pages."""
    rng, numbers, written = random.Random(0), count(), 0
    with file.open("wb") as out:
        out.write(bz2.compress(b"<mediawiki>"))
        while written < size:
            content = "".join(article(next(numbers), rng) for _ in range(PAGES_A_STREAM)).encode()
            written += len(content)
            out.write(bz2.compress(content))
        out.write(bz2.compress(b"</mediawiki>"))


def reading(file: str, how: str) -> str:
    from bvf_mining.corpus import Corpus

    corpus = Corpus((file,))
    taken, pages = timed(lambda: sum(1 for _ in (corpus.documents() if how == "plain text" else corpus.as_written())))
    return f"{how}: {pages:,} pages, {pages / taken.processor:,.0f} pages/s, {1000 * taken.peak:.0f} MB at most"


def main(size: str = "200") -> None:
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder, "dump.xml.bz2")
        write(dump, int(size) * MEGABYTE)
        for what in ("pages", "plain text"):
            print(in_a_process(reading, str(dump), what))
