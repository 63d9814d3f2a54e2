"""Make the gallery: run the commands of ``docs/gallery.md``, keep the figures, and write their captions.

A block of commands that draws a figure is followed by its image and, as a quotation, by the beginning of its caption.
The whole caption is in the file of the figure.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from bvf.drawing.fonts import NO_FONT

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "gallery.md"
WORK = ROOT / "build" / "results"
"""`docs/results/make.py` measures here too, so that nothing is measured twice."""
BLOCK = re.compile(r"^```(text|toml title=\"(?P<name>[^\"]+)\")\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PLACES = re.compile(r'(?<= )(d|x|y)="[^"]*"')
"""Where the lines and signs of a figure are, in points."""
DECIMALS = re.compile(r"(\.[0-9])[0-9]+")
COMMAND = re.compile(r"\s*([MLQCz])\s*")
"""A command of a path, such as a line to a place."""
INDENT = re.compile(r"^ +", re.MULTILINE)
SENTENCE = re.compile(r"(?<=[^.]\.) (?=[A-Za-z\d])")
"""Where a caption may be cut."""
WORDS = 36
"""As many words of a caption are on the page, in whole sentences; or its first sentence, where that is longer."""
BENCHMARKS = {
    "crows_pairs_anonymized.csv": "https://github.com/nyu-mll/crows-pairs",
    "winogender/occupations-stats.tsv": "https://github.com/rudinger/winogender-schemas (the whole folder data)",
}
"""Files that figures of benchmarks need, and that the project does not bring, and where they are."""
ALTERNATIVE = "Described below"
"""What readers hear who cannot see a figure, before they hear its caption."""
SHOWN = r"!\[[^\]]*\]\(gallery/{name}\)\n\n> [^\n]*"


def main() -> None:
    """Run every block of the page in its order."""
    for file, where in BENCHMARKS.items():
        if not (WORK / file).is_file():
            raise SystemExit(f"{WORK / file}: not there; it is in {where}, under data/")
    page = PAGE.read_text("utf-8")
    for block in BLOCK.finditer(page):
        if block["name"]:
            (WORK / block["name"]).write_text(block["text"], "utf-8")
            continue
        for line in filter(None, block["text"].replace("\\\n", " ").splitlines()):
            printed, words = output_of(line), shlex.split(line)
            if words[1] == "plot" and printed:
                page = with_caption(page, words[words.index("-o") + 1], " ".join(printed.split()[:-1]))
    PAGE.write_text(page, "utf-8")


def output_of(line: str) -> str:
    """Run a command and return what it prints; nothing where no font has the names of a figure, which then stays."""
    print(line, flush=True)
    beside_python = Path(sys.executable).with_name("bvf")
    command = line.replace("bvf ", f"{shlex.quote(str(beside_python))} ", 1)
    ended = subprocess.run(["sh", "-ec", command], cwd=WORK, capture_output=True, text=True)
    if ended.returncode and NO_FONT in ended.stderr:
        print(f"left as it was: {ended.stderr.splitlines()[0]}", flush=True)
        return ""
    if ended.returncode:
        raise SystemExit(ended.stderr)
    return ended.stdout


def shorter(figure: str) -> str:
    """Return a figure with one decimal per place and without needless spaces: it looks the same."""
    return PLACES.sub(lambda place: COMMAND.sub(r"\1", DECIMALS.sub(r"\1", place[0])), INDENT.sub("", figure))


def beginning(caption: str) -> str:
    """Return the first sentences of a caption, up to `WORDS` words."""
    first, *others = SENTENCE.split(caption)
    kept = first
    for sentence in others:
        if len(f"{kept} {sentence}".split()) > WORDS:
            break
        kept = f"{kept} {sentence}"
    return kept


def with_caption(page: str, name: str, caption: str) -> str:
    """Return the page with the beginning of a figure's caption, and keep the figure."""
    (PAGE.parent / "gallery" / name).write_text(shorter((WORK / name).read_text("utf-8")), "utf-8")
    shown = f"![{ALTERNATIVE}](gallery/{name})\n\n> {beginning(caption)}"
    changed, times = re.subn(SHOWN.format(name=re.escape(name)), lambda _: shown, page)
    if times != 1:
        raise SystemExit(f"{PAGE}: {name} occurs {times} times")
    return changed


if __name__ == "__main__":
    main()
