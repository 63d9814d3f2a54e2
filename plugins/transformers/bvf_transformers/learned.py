"""The user's cache: descriptions of models, and what checks of loaded ones found.

Files are named by a digest of all that their content depends on, so none can be out of date. No module that imports
torch is imported here.
"""

import hashlib
import inspect
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, NonNegativeInt

from bvf import BvfError
from bvf.files import Folder, FolderKind

CODE = Path(__file__).parent
CACHE = FolderKind({}, {"models": FolderKind({r"[0-9a-f]{32}\.json": 1_000_000})})
"""The folder of bvf in the user's cache."""


def models_in_cache() -> Folder:
    """Return the folder of the cache for what is known of models."""
    return Folder(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bvf", CACHE).sub("models")


def name_in_cache(*parts: Any) -> str:
    """Return the file name for what depends on ``parts`` (JSON values), the libraries and the code of this package."""
    versions = map(version, ("bvf", "torch", "transformers"))
    code = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(CODE.rglob("*.py")))).hexdigest()
    return f"{hashlib.sha256(json.dumps([*parts, *versions, code]).encode()).hexdigest()[:32]}.json"


class Shortcuts(NamedTuple):
    """Which shortcuts give a model's logits: its head at some positions, for some tokens, and on states by itself."""

    positions: bool = False
    tokens: bool = False
    states: bool = False


class Learned(BaseModel):
    """What checks found of a causal model: its shortcuts, and up to how many tokens two ways of reading agree.

    Args:
        shortcuts: Those of its head.
        cached: Keys and values that are kept give what a whole text of so many tokens gives.
        packed: Texts of so many tokens, with their longest word, give in a tree what they give one by one.
    """

    shortcuts: Shortcuts
    cached: NonNegativeInt
    packed: NonNegativeInt


@dataclass(frozen=True)
class Memory:
    """Keeps what is learned of one model on one device, in a file of the cache. Without a name it keeps nothing."""

    file: str = ""

    def of(self, reads: type) -> "Memory":
        """Return the memory for a class that reads the model, by its name and the file that it is written in."""
        if not self.file:
            return self
        written = hashlib.sha256(Path(inspect.getfile(reads)).read_bytes()).hexdigest()
        return Memory(name_in_cache(self.file, f"{reads.__module__}.{reads.__qualname__}", written))

    def recalled(self) -> Learned | None:
        """Return what was learned, if anything."""
        with suppress(BvfError, ValueError):
            return Learned.model_validate_json(models_in_cache().read_bytes(self.file) or b"") if self.file else None
        return None

    def keep(self, learned: Learned) -> None:
        """Write what was learned, if the cache can be written."""
        with suppress(BvfError, OSError):
            if self.file:
                models_in_cache().write(self.file, learned.model_dump_json().encode())
