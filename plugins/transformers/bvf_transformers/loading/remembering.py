"""Descriptions of models, kept by what they were made from, so that a finished run is shown without torch.

torch and transformers take seconds to import, and describing a model needs both. What they found out is kept in the
user's cache, under a digest of all that it depends on: the content of the model's files, the options, the versions of
the libraries, this plugin's own code, and which accelerators there are. So nothing there can be out of date.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter

from bvf.errors import BvfError
from bvf.files.writing import write_text
from bvf.interfaces.backend import ModelDescription, ModelRequest
from bvf_transformers.loading.checkpoint import settings_digest, weights_in
from bvf_transformers.loading.content import sha256_of
from bvf_transformers.options import options_of

LIBRARIES = ("bvf", "torch", "transformers")
ACCELERATORS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
CODE = Path(__file__).parents[1]


def remembered(request: ModelRequest, kind: str, find_out: Callable[[], ModelDescription]) -> ModelDescription:
    """Return the kept description of the same model, else that of ``find_out``; if torch is loaded, always the latter.

    Args:
        request: For the model; only one in a local folder is remembered.
        kind: What else the description depends on.
        find_out: Describes the model.
    """
    if "torch" in sys.modules:
        return find_out()
    file = _file(request, kind)
    kept = _read(file) if file else None
    if kept is not None:
        return kept
    description = find_out()
    if file:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_text(file, TypeAdapter(ModelDescription).dump_json(description).decode())
    return description


def _file(request: ModelRequest, kind: str) -> Path | None:
    """Where the description is kept; None for what is no readable folder: describing says what is wrong with it."""
    folder, options = Path(request.model), options_of(request)
    try:
        if not folder.is_dir():
            return None
        weights = [sha256_of(file).hex() for file in weights_in(folder, allow_pickle=options.allow_pickle)]
        settings = settings_digest(folder)
    except (BvfError, OSError):
        return None
    parts = [kind, settings, weights, options.model_dump(mode="json"), _machine()]
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "bvf" / "models" / f"{digest[:32]}.json"


def _machine() -> list[object]:
    """Versions of libraries, this plugin's code, and which accelerators there are."""
    code = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(CODE.rglob("*.py")))).hexdigest()
    devices = [sys.platform, *map(os.path.exists, ACCELERATORS), *map(os.environ.get, VISIBLE)]
    return [*map(version, LIBRARIES), code, devices]


def _read(file: Path) -> ModelDescription | None:
    try:
        return TypeAdapter(ModelDescription).validate_json(file.read_bytes())
    except (OSError, ValueError):
        return None
