"""Scripts of the project that are no modules of a package."""

import importlib.util


def script_at(file):
    """Return a script as a module."""
    spec = importlib.util.spec_from_file_location(f"{file.parent.name}_{file.stem}", file)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script
