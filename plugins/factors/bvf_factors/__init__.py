"""What a benchmark's prompts cover, and for which groups and why a model deviates from the desired answer.

The functions of the command ``bvf factors`` are listed in `__init__.pyi`, and imported when they are first used.
"""

from typing import Any

from lazy_loader import attach_stub

from bvf import Provider, hookimpl

BVF_API = 1
__getattr__, _, __all__ = attach_stub(__name__, __file__)  # pluggy finds hooks by the default __dir__


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider(
            "factors",
            "bvf_factors.commands.factors:factors",
            "What the prompts of a benchmark cover, for whom a model deviates from what is desired, and why.",
            common="--model --chat-turn --data --answers --limit-items --by --factors --order --items --on --filter "
            "--factor --target --interaction --forest --plugin --out --show --format",
        )
    ]


@hookimpl
def bvf_files() -> list[Provider[Any]]:
    return [
        Provider(
            "bvf.factors/1",
            "bvf_factors.pictures:FactorsFile",
            "a file that `bvf factors analyse TABLE --factors FILE --format json` has printed",
        ),
        Provider(
            "bvf.benchmark_scores/2",
            "bvf_factors.benchmarks.file:ScoresFile",
            "a file that `bvf factors run BENCHMARK --format json` has printed",
        ),
    ]
