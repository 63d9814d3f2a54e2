"""Installed packages that tests write: files, and metadata as pip writes it, nothing that was built."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path


def install(
    site: Path,
    name: str,
    files: Mapping[str, bytes],
    *,
    version: str = "1.0",
    headers: Sequence[str] = (),
    requires: Sequence[str] = (),
) -> Path:
    """Write a package into a folder of ``sys.path``, and return that folder.

    Args:
        site: The folder.
        name: Of the distribution.
        files: What is in it, by path.
        version: Of the distribution.
        headers: More lines of its METADATA.
        requires: What it depends on.
    """
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *headers]
    metadata = "\n".join([*lines, *(f"Requires-Dist: {each}" for each in requires)]) + "\n\nA package.\n"
    everything = {**files, f"{info}/METADATA": metadata.encode()}
    record = [f"{path},sha256={_digest(content)},{len(content)}" for path, content in everything.items()]
    everything[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    for path, content in everything.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(content)
    return site


def install_in_parts(site: Path, name: str, file: str, parts: Sequence[bytes], first: int = 0) -> Path:
    """Write a package with the digest of a file, and one for each of its parts, NAME-part1, ..., that it requires."""
    module = name.replace("-", "_")
    sums = f"{hashlib.sha256(b''.join(parts)).hexdigest()}  {file}\n"
    names = [f"{name}-part{number}" for number in range(1, len(parts) + 1)]
    install(site, name, {f"{module}/data/SHA256SUMS": sums.encode()}, requires=[f"{each}==1.0" for each in names])
    for number, (each, content) in enumerate(zip(names, parts, strict=True), start=first):
        install(site, each, {f"{each.replace('-', '_')}/data/{file}.part{number:02}": content})
    return site


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def install_plugins(site: Path, name: str, entries: str, modules: Mapping[str, str], version: str = "1.0") -> Path:
    """Write a package with plugins: its entry points, and its modules by their names. Return the folder."""
    files = {f"{module}.py": text.encode() for module, text in modules.items()}
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    return install(site, name, {**files, f"{info}/entry_points.txt": entries.encode()}, version=version)
