"""Bias and volatility of models: `run` a measurement, `analyse` it, `compare` models, `decompose` any probabilities.

`__init__.pyi` lists the public names and the modules that define them; each is imported when it is first used.
"""

from importlib import import_module

from lazy_loader import attach_stub

_public_name, __dir__, __all__ = attach_stub(__name__, __file__)
__all__.remove("plot")  # a module, which ``from bvf import *`` leaves out


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("bvf")
    return _public_name(name)
