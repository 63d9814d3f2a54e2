"""An engine that scores prompts and mines corpora with Ray actors on any number of machines."""

from typing import TYPE_CHECKING

from bvf import Provider, hookimpl

if TYPE_CHECKING:
    from bvf import Engine

BVF_API = 1


@hookimpl
def bvf_engines() -> "list[Provider[Engine]]":
    return [
        Provider(
            "ray",
            "bvf_ray_engine.engine:RayEngine",
            "workers on a Ray cluster; one is started here if no address is given",
            needs=(("ray", "pip install ray"),),
            options="bvf_ray_engine.options:RayOptions",
        )
    ]
