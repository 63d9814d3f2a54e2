"""Checks: named functions that test one requirement each, such as that an import is cheap."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bvf import BvfError
from bvf.errors import error_text, in_one_line
from bvf.hooks import place_in_plugin

HEAVY = (
    *("torch", "transformers", "tensorflow", "jax", "pandas", "pyarrow", "scipy", "sklearn", "matplotlib"),
    "datasets",
)
PROBE = """
import importlib, sys
import bvf, bvf.hooks.specs, bvf.hooks.provider, bvf.files.topics, bvf.files.contexts.sets
from bvf.hooks.loader import KINDS
CODE = (".py", ".pyi", ".pyc", ".so", ".pyd", ".pth")
before = set(sys.modules)
seen = []

def watch(event, arguments):
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname"):
        seen.append("uses the network (" + event + ")")
    if event == "open" and isinstance(arguments[0], str) and not arguments[0].endswith(CODE):
        seen.append("opens " + arguments[0])

sys.addaudithook(watch)
module = importlib.import_module(sys.argv[1])
seen = [line for line in seen if "network" in line]
for name in KINDS:
    hook = getattr(module, name, None)
    if hook is not None:
        list(hook())
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
for name in sys.argv[2:]:
    if name in loaded:
        seen.append("imports " + name)
print("\\n".join(dict.fromkeys(seen)))
"""


@dataclass(frozen=True)
class Check:
    """A named check of one object. Calling it raises AssertionError if the check fails, with what would be right."""

    name: str
    run: Callable[[], object]

    def __call__(self) -> None:
        self.run()

    def __str__(self) -> str:
        return self.name


def checks_of(functions: Sequence[Callable[..., None]], *arguments: Any) -> list[Check]:
    """Return one check per function, under the function's name."""
    return [Check(function.__name__, partial(function, *arguments)) for function in functions]


def require(holds: object, message: str) -> None:
    """Raise AssertionError unless ``holds`` is true. Unlike ``assert``, it does so under ``python -O`` too."""
    if not holds:
        raise AssertionError(message)


def problem_of(check: Check) -> str:
    """Run a check, and return the message of its failure; empty if it passes. Any error is a failure."""
    try:
        check()
    except KeyboardInterrupt:
        raise
    except BvfError as error:
        return f"{check.name}: {in_one_line(error.message)}"
    except AssertionError as error:
        return f"{check.name}: {in_one_line(str(error))}"
    except BaseException as error:  # noqa: BLE001 - what is checked may fail in any way
        _, where = place_in_plugin(error)
        return f"{check.name}: {error_text(error)}" + (f" ({where})" if where else "")
    return ""


def assert_light_import(module: str) -> None:
    """Import a plugin and call its hooks in a separate process, and check that nothing heavy happens.

    Args:
        module: The module that the entry point names.

    Raises:
        AssertionError: The plugin imports a heavy library, uses the network, or a hook opens a file; names the culprit.
    """
    command = [sys.executable, "-c", PROBE, module, *HEAVY]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"{module} cannot be imported: {done.stderr.strip().splitlines()[-1:]}")
    require(
        not done.stdout.strip(),
        f"{module}, which every command imports, {done.stdout.strip().replace(chr(10), ', ')}: name what you offer by "
        'a string, "package.module:Name", and it is imported when somebody asks for it',
    )
