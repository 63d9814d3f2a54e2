"""Published bias benchmarks and sentences of one's own: items, factors and scores. Users bring the data."""

from functools import cache
from importlib.resources import files
from typing import Any

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl
from bvf.interfaces.benchmark import Benchmark

BVF_API = 1
HERE = files(__package__)


@cache
def declared(name: str) -> dict[str, Any]:
    """Return the content of a TOML file of this package."""
    from bvf.files.parsing import parse_toml, read_text

    file = HERE / f"{name}.toml"
    return parse_toml(read_text(file), str(file))


@cache
def pack_named(name: str) -> dict[str, Any]:
    """Return what ``packs.toml`` says of a pack, and for what it does not say, of the one that it is ``like``."""
    own = declared("packs")[name]
    return {**declared("packs")[own.get("like", name)], **own}


@hookimpl
def bvf_benchmarks() -> list[Provider[Benchmark]]:
    packs = {name: pack_named(name) for name in declared("packs")}
    return [
        Provider(name, f"bvf_bias_benchmarks.{each['pack']}", each["summary"], language=each["language"])
        for name, each in packs.items()
    ]
