"""How fast a MediaWiki dump is read, and in how much memory: python benchmarks/mining/dumps.py [MB].

Writes a dump of made-up articles (200 MB of XML by default) and reads it in two processes: pages alone, as a sample
does, and pages with their markup stripped. Seconds are of the processor, which other programs may use meanwhile.
"""

import bz2
import os
import random
import resource
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

MEGABYTE = 1_000_000
WORDS = ("nurse", "plumber", "engineer", "ward", "letter", "river", "treaty", "committee", "season", "north", "early")
PAGES_A_STREAM = 100


def sentence(rng: random.Random) -> str:
    words = rng.choices(WORDS, k=rng.randint(6, 18))
    linked = rng.randrange(len(words))
    words[linked] = f"[[{words[linked]} (place)|{words[linked]}]]"
    return f"The {' '.join(words)} said that it was late."


def article(rng: random.Random) -> str:
    parts = ["{{Infobox person\n| name = Ada\n| born = {{birth date|1815|12|10}}\n}}\n"]
    for _ in range(rng.randint(2, 12)):
        sentences = " ".join(sentence(rng) for _ in range(rng.randint(2, 6)))
        parts.append(f"{sentences}<ref>{{{{cite book|title=Letters|year=1990}}}}</ref> '''Ada''' left.\n\n")
    parts.append(
        '== Table ==\n{| class="wikitable"\n|-\n| one || two\n|}\n[[File:Ada.jpg|thumb|Ada]]\n[[Category:Nurses]]\n'
    )
    return "".join(parts)


def page(number: int, rng: random.Random) -> str:
    text = escape(article(rng))
    return f"<page><title>Page {number}</title><ns>0</ns><revision><text>{text}</text></revision></page>\n"


def write(file: Path, size: int) -> None:
    rng, first, written = random.Random(0), 1, 0
    with file.open("wb") as out:
        out.write(bz2.compress(b"<mediawiki>"))
        while written < size:
            content = "".join(page(first + place, rng) for place in range(PAGES_A_STREAM)).encode()
            first, written = first + PAGES_A_STREAM, written + len(content)
            out.write(bz2.compress(content))
        out.write(bz2.compress(b"</mediawiki>"))


def measure(file: str, stripped: bool) -> None:
    """Print the time and memory that reading a dump takes."""
    from bvf_mining.corpus import Corpus

    corpus = Corpus((file,))
    before = resource.getrusage(resource.RUSAGE_SELF)
    pages = sum(1 for _ in (corpus.documents() if stripped else corpus.as_written()))
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = int(os.environ["DUMP_BYTES"]) / MEGABYTE
    peak = [usage.ru_maxrss / 1024 for usage in (before, after)]
    sys.stdout.write(
        f"{'plain text' if stripped else 'pages'}: {pages:,} pages, {size:.0f} MB of XML in {seconds:.1f} s: "
        f"{pages / seconds:,.0f} pages/s, {size / seconds:.1f} MB/s; "
        f"memory {peak[0]:.0f} MB before, {peak[1]:.0f} MB at most\n"
    )


def main() -> None:
    size = int(sys.argv[1] if len(sys.argv) > 1 else 200) * MEGABYTE
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "dump.xml.bz2")
        write(file, size)
        for how in ("pages", "stripped"):
            command = [sys.executable, __file__, "--read", str(file), how]
            subprocess.run(command, check=True, env={**os.environ, "DUMP_BYTES": str(size)})


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        measure(sys.argv[2], sys.argv[3] == "stripped")
    else:
        main()
