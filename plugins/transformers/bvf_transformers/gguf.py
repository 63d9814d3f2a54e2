"""GGUF files: one file with configuration, tokenizer and weights."""

import importlib.util
import io
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr
from pathlib import Path

from bvf.backend import ModelRequest
from bvf.errors import BvfError

MAGIC = b"GGUF"
NEEDED = ("gguf", "accelerate")


def gguf_file(request: ModelRequest) -> Path | None:
    """Return the GGUF file that a request names, or None if it names something else."""
    path = Path(request.model)
    return path if path.suffix == ".gguf" else None


def check_gguf(path: Path) -> None:
    """Check a GGUF file before its weights are unpacked.

    Raises:
        BvfError: It is missing, no GGUF file, cut off, or the libraries that read it are not installed.
    """
    if not path.is_file():
        raise BvfError(f"--model {path}: there is no such file", "give a GGUF file, a folder, or a hub id")
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise BvfError(f"{path}: GGUF files need {missing[0]}, which is not installed", "pip install 'bvf[gguf]'")
    with path.open("rb") as content:
        if content.read(len(MAGIC)) != MAGIC:
            raise BvfError(f"{path}: not a GGUF file: it does not begin with GGUF", "download or convert it again")
    _check_whole(path)


@contextmanager
def unpacking_unseen(request: ModelRequest) -> Iterator[None]:
    """Keep the bar of a GGUF file's unpacking from the terminal; the library has no switch for it."""
    with redirect_stderr(io.StringIO()) if gguf_file(request) else nullcontext():
        yield


def _check_whole(path: Path) -> None:
    from gguf import GGUFReader

    try:
        GGUFReader(path)
    except Exception as error:  # the reader runs over the end of a file that is cut off in as many ways as it has parts
        raise BvfError(f"{path}: damaged or cut off: {error}", "copy or download the file again") from error
