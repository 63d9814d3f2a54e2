"""Bias and volatility of models: `run` a measurement, `analyse` it, `compare` models, `decompose` any probabilities.

`core.pyi` lists the public names of the core and the modules that define them; packages add functions by the hook
`bvf_functions`. Each is imported when it is first used.
"""

from importlib import import_module
from pathlib import Path

from bvf.door import door

_core_name, _names_of_core, __all__ = door(__name__, Path(__file__).with_name("core.pyi"))


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("bvf")
    if name in __all__ or name.startswith("_"):
        return _core_name(name)
    from bvf.hooks.installed import function_of_plugin

    return function_of_plugin(name)


def __dir__() -> list[str]:
    from bvf.hooks.installed import functions_of_plugins

    return sorted({*_names_of_core(), *functions_of_plugins()})
