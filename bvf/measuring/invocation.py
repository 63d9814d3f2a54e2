"""The record of one invocation of ``bvf run``: the user's choices, versions of libraries, and the machine."""

import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from bvf.domain.config import first_wrong
from bvf.domain.measurement import ScoreCheck
from bvf.domain.numbers import Amount, Count, Record
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.files.folder import INVOCATIONS, Folder, run_at
from bvf.files.machine import processors, threads
from bvf.files.packages.distributions import version_of
from bvf.hooks.loader import Plugins
from bvf.measuring.config import MeasureConfig
from bvf.measuring.plan import Plan

LIBRARIES = ("numpy", "pyarrow")


class Software(Record):
    """Versions of what ran."""

    python: str
    plugins: dict[str, tuple[str, str]] = Field(description="Distribution and version of each")
    libraries: dict[str, str | None]


class Host(Record):
    """The machine."""

    machine: str
    system: str
    processors: Count
    threads: Count


class Invocation(Record):
    """What the file of one invocation holds."""

    measurement: str
    started: datetime
    config: dict[str, Any]
    backend: tuple[str, str, str, str]
    versions: Software
    host: Host
    check: ScoreCheck
    seconds: Amount | None = None
    shards: tuple[str, ...] = ()


def versions_of_answers(plan: Plan) -> dict[str, str]:
    """Return the versions of the libraries that the probabilities depend on, without their build tags."""
    owner = plan.model.entry.owner
    versions = {"bvf": version_of("bvf"), owner.distribution: owner.version}
    versions |= {name: version_of(name) for name in plan.model.description.libraries}
    return {name: number.partition("+")[0] for name, number in versions.items() if name and number}


def invocations_in(run: Path | Folder, measurement: str) -> list[tuple[Path, dict[str, Any]]]:
    """Return the files of the invocations of the measurement with this digest, by name, and their records.

    Raises:
        BvfError: A file was changed, names no measurement, or belongs to another one.
    """
    folder = run_at(run).sub(INVOCATIONS)
    return [(folder.path_of(name), invocation_in(folder, name, measurement)) for name in folder.names()]


def invocation_in(folder: Folder, name: str, measurement: str) -> dict[str, Any]:
    """Return the record of one invocation of the measurement with this digest (empty: of any), by its file's name.

    Raises:
        BvfError: The file was changed, names no measurement, or belongs to another one.
    """
    invocation, file = folder.read_json(name), folder.path_of(name)
    if not isinstance(invocation, dict) or invocation.pop("content", "") != digest_of(invocation):
        raise BvfError(f"{file}: not as it was written", "restore it, or move it out of the folder")
    if "measurement" not in invocation:
        raise BvfError(f"{file}: does not say which run it is of: an older bvf wrote it", "move it out of the folder")
    if measurement and invocation["measurement"] != measurement:
        raise BvfError(f"{file}: of another run", "move it out of the folder")
    try:
        Invocation.model_validate(invocation)
    except ValidationError as error:
        raise BvfError(f"{file}: no record of a run: {first_wrong(error)}", "move it out of the folder") from error
    return invocation


def invocation_of(
    plan: Plan, plugins: Plugins, check: ScoreCheck, started: float, measurement: str
) -> dict[str, object]:
    """Return the record of one invocation. ``measurement`` is the digest of what is measured.

    No measured probability depends on it.
    """
    model, options = plan.model, plan.model.request.options
    config = plan.config.model_dump(mode="json", include=set(MeasureConfig.model_fields))
    libraries = dict.fromkeys((*LIBRARIES, *model.description.libraries))
    return {
        "measurement": measurement,
        "started": datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds"),
        "config": {**config, "backend_options": {} if options is None else dict(options.model_dump(mode="json"))},
        "backend": [model.backend, model.entry.owner.plugin, model.entry.owner.distribution, model.entry.owner.version],
        "versions": {
            "python": platform.python_version(),
            "plugins": {name: [owner.distribution, owner.version] for name, owner in plugins.owners.items()},
            "libraries": {name: version_of(name) or None for name in libraries},
        },
        "host": {
            "machine": platform.machine(),
            "system": platform.platform(),
            "processors": processors(),
            "threads": threads(plan.config.threads),
        },
        "check": check.model_dump(mode="json"),
    }
