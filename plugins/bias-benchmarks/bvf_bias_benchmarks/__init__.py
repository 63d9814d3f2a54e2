"""Published bias benchmarks: their items, factors and scores. The data are the user's; none of them is here."""

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl
from bvf.interfaces.benchmark import Benchmark

BVF_API = 1


@hookimpl
def bvf_benchmarks() -> list[Provider[Benchmark]]:
    return []
