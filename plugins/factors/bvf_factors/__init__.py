"""What the prompts of a benchmark cover, for whom a model deviates from what is desired, and why.

The functions below are those of the command ``bvf factors``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl

if TYPE_CHECKING:
    from bvf_factors.covering.coverage import coverage as coverage
    from bvf_factors.covering.designing import missing_prompts as missing_prompts
    from bvf_factors.rates.comparing import compare_models as compare_models
    from bvf_factors.rates.spread import spread as spread
    from bvf_factors.rates.subgroups import subgroups as subgroups
    from bvf_factors.regressing.importance import importance as importance
    from bvf_factors.run import FactorsResult as FactorsResult
    from bvf_factors.run import analyse_table as analyse_table
    from bvf_factors.run import read_declaration as read_declaration
    from bvf_factors.run import read_table as read_table
    from bvf_factors.run import table_of_frame as table_of_frame

BVF_API = 1
_HOMES = {
    "FactorsResult": "run",
    "analyse_table": "run",
    "compare_models": "rates.comparing",
    "coverage": "covering.coverage",
    "importance": "regressing.importance",
    "missing_prompts": "covering.designing",
    "read_declaration": "run",
    "read_table": "run",
    "spread": "rates.spread",
    "subgroups": "rates.subgroups",
    "table_of_frame": "run",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bvf_factors' has no attribute {name!r}")
    return getattr(import_module(f"bvf_factors.{_HOMES[name]}"), name)


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider(
            "factors",
            "bvf_factors.commands.factors:factors",
            "What the prompts of a benchmark cover, for whom a model deviates from what is desired, and why.",
        )
    ]


@hookimpl
def bvf_files() -> list[Provider[Any]]:
    return [
        Provider(
            "bvf.factors/1",
            "bvf_factors.file:FactorsFile",
            "a file that `bvf factors analyse TABLE --factors FILE --format json` has printed",
        )
    ]
