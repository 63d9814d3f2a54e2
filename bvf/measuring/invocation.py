"""The record of one invocation of ``bvf run``: the user's choices, versions of libraries, and the machine."""

import platform
from datetime import UTC, datetime

from bvf.domain.measurement import ScoreCheck
from bvf.files.distributions import version_of
from bvf.files.processors import processors, threads
from bvf.hooks.loader import Plugins
from bvf.measuring.config import MeasureConfig
from bvf.measuring.plan import Plan

LIBRARIES = ("numpy", "pyarrow")


def versions_of_answers(plan: Plan) -> dict[str, str]:
    """Return the versions of the libraries that the probabilities depend on, without their build tags."""
    owner = plan.model.entry.owner
    versions = {"bvf": version_of("bvf"), owner.distribution: owner.version}
    versions |= {name: version_of(name) for name in plan.model.description.libraries}
    return {name: number.partition("+")[0] for name, number in versions.items() if name and number}


def invocation_of(plan: Plan, plugins: Plugins, check: ScoreCheck, started: float) -> dict[str, object]:
    """Return the record of one invocation. No measured probability depends on it."""
    model, options = plan.model, plan.model.request.options
    config = plan.config.model_dump(mode="json", include=set(MeasureConfig.model_fields))
    libraries = dict.fromkeys((*LIBRARIES, *model.description.libraries))
    return {
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
