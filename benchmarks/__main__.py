"""Programs that measured what docs/evidence says: ``python -m benchmarks FOLDER.NAME ...`` in the root of a clone."""

import re
import sys
from importlib import import_module

from benchmarks.pages import ROOT


def programs() -> list[str]:
    """Return the name of every program: a module with a ``main``."""
    files = sorted((ROOT / "benchmarks").glob("*/*.py"))
    texts = {f"{file.parent.name}.{file.stem}": file.read_text(encoding="utf-8") for file in files}
    return [name for name, text in texts.items() if re.search("^(def )?main\\b", text, re.MULTILINE)]


if __name__ == "__main__":
    if sys.argv[1:2] == [] or sys.argv[1] not in programs():
        raise SystemExit("\n".join(["usage: python -m benchmarks NAME ...; the names are", *programs()]))
    import_module(f"benchmarks.{sys.argv[1]}").main(*sys.argv[2:])
