"""Checks that importing a plugin is cheap. Every command imports it."""

import subprocess
import sys

from bvf_testing.check import require

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
