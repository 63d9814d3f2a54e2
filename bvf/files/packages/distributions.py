"""The metadata of installed Python packages, read without importing any of them."""

import base64
import csv
import re
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path

from bvf.domain.numbers import LARGEST
from bvf.errors import in_one_line
from bvf.files.parsing import is_file, whole_number

RECORD, METADATA, MODULES = "RECORD", "METADATA", "top_level.txt"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""Names that a distribution can have."""
REQUIRED = re.compile(rf"(?P<name>{NAME.pattern})\s*(?:\[[^]]*\])?\s*(?P<version>.*)")
MOST_BYTES = 50_000_000
"""The most bytes of a file of metadata."""
OSI = "OSI Approved"
"""The last part of a classifier that names no licence."""


@dataclass(frozen=True)
class Package:
    """Name, version and licence of an installed distribution, from its metadata. ``licence`` may be empty."""

    name: str
    version: str
    licence: str
    summary: str

    @property
    def pinned(self) -> str:
        """The distribution pinned to its version, in the form that pip takes: ``NAME==VERSION``."""
        return f"{self.name}=={self.version}"


@dataclass(frozen=True)
class InstalledFile:
    """A file that a distribution has installed.

    Args:
        name: Path of the file as written in the distribution's ``RECORD``.
        at: Path of the file on this machine.
        digest: SHA-256 according to the ``RECORD``; empty: not stated.
        size: Number of bytes according to the ``RECORD``; 0: not stated.
        of: The distribution that installed it.
    """

    name: str
    at: Path
    digest: str
    size: int
    of: Package


def version_of(name: str) -> str:
    """Return the version of an installed distribution; empty if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def package_of(each: Distribution) -> Package:
    """Return name, version and licence of a distribution. The name is empty if the metadata cannot be read."""
    headers = _headers(each)
    return Package(_value(headers, "Name"), _value(headers, "Version"), _licence(headers), _value(headers, "Summary"))


def record_of(each: Distribution) -> str:
    """Return the text of a distribution's ``RECORD``; empty if there is none."""
    return _text(each, RECORD)


def files_of(each: Distribution) -> list[InstalledFile]:
    """Return the files listed in the ``RECORD`` of a distribution. They may be missing on the disk."""
    package = package_of(each)
    try:
        rows = [row for row in csv.reader(record_of(each).splitlines()) if len(row) == 3]
    except csv.Error:
        return []
    return [
        InstalledFile(
            name, Path(str(each.locate_file(name))), _hexadecimal(digest), whole_number(size, 0, LARGEST) or 0, package
        )
        for name, digest, size in rows
    ]


def modules_of(each: Distribution) -> frozenset[str]:
    """Return the names of the top-level modules of a distribution."""
    listed = _text(each, MODULES).split()
    first = {row.partition(",")[0].partition("/")[0].removesuffix(".py") for row in record_of(each).splitlines()}
    return frozenset(listed or filter(str.isidentifier, first))


def required_by(each: Distribution) -> tuple[list[Distribution], list[str]]:
    """Return the installed requirements of a distribution, and also the missing ones in pip's form.

    Extras are not included.
    """
    there, absent = list[Distribution](), list[str]()
    for line in _headers(each).get_all("Requires-Dist", []):
        required, _, condition = line.partition(";")
        match = REQUIRED.fullmatch(required.strip())
        if match is None or "extra" in condition:
            continue
        try:
            there.append(distribution(match["name"]))
        except PackageNotFoundError:
            absent.append(match["name"] + re.sub(r"[\s()]", "", match["version"]))
    return there, absent


def _licence(headers: Message) -> str:
    """The licence: its SPDX expression, else its name, else its classifiers, else the first line of its text."""
    text = [line.strip() for line in str(headers.get("License") or "").splitlines() if line.strip()]
    text = [] if text == ["UNKNOWN"] else text
    classified = [line.split(" :: ") for line in headers.get_all("Classifier", []) if line.startswith("License :: ")]
    named = ", ".join(parts[-1] for parts in classified if parts[-1] != OSI)
    choices = (_value(headers, "License-Expression"), *(text if len(text) == 1 else []), named, *text[:1])
    return in_one_line(next(filter(None, choices), ""))


def _hexadecimal(recorded: str) -> str:
    """A SHA-256 of a ``RECORD``, in base 64, as hexadecimal digits; empty for other digests."""
    algorithm, _, value = recorded.partition("=")
    try:
        return base64.urlsafe_b64decode(f"{value}=").hex() if algorithm == "sha256" else ""
    except ValueError:
        return ""


def _value(headers: Message, name: str) -> str:
    return in_one_line(str(headers.get(name) or ""))


def is_small(file: Path) -> bool:
    """Whether a path is a regular file, of a size that metadata of a package may have. Raises OSError."""
    return is_file(file) and file.stat().st_size <= MOST_BYTES


def _headers(each: Distribution) -> Message:
    return HeaderParser().parsestr(_text(each, METADATA))


def _text(each: Distribution, name: str) -> str:
    """The text of a metadata file of a distribution; empty if it is missing, too large, or cannot be read."""
    try:
        folder = getattr(each, "_path", None)
        return (each.read_text(name) or "") if folder is None or is_small(Path(str(folder), name)) else ""
    except (OSError, ValueError):
        return ""
