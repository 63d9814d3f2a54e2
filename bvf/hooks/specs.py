"""The interface of plugins: twelve hooks of the same form.

A hook takes no arguments, does no work, and returns `bvf.Provider` objects. It opens no file, imports nothing
heavy and touches no network: what it names is made when it is used.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from bvf.domain.context import ContextSet
    from bvf.domain.topic import Topic
    from bvf.hooks.provider import Provider
    from bvf.interfaces.analysis import Analysis
    from bvf.interfaces.backend import Backend, ModelFolder
    from bvf.interfaces.benchmark import Benchmark
    from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
    from bvf.interfaces.engine import Engine
    from bvf.interfaces.language import Language
    from bvf.interfaces.miner import Miner
    from bvf.interfaces.reported_file import ReportedFile

API = 1
"""Version of the hooks, raised only if one is removed or changes its meaning; a plugin asks for ``BVF_API = 1``."""

hookspec = pluggy.HookspecMarker("bvf")
hookimpl = pluggy.HookimplMarker("bvf")


@hookspec
def bvf_languages() -> "Iterable[Provider[Language]]":  # type: ignore[empty-body]
    """Languages (rules for wording prompts), under the codes that ``--lang`` takes. Write a `bvf.Language`."""


@hookspec
def bvf_topics() -> "Iterable[Provider[Topic]]":  # type: ignore[empty-body]
    """Topics, under the names that ``--topic`` takes. `bvf.topics_in` offers a folder of TOML files."""


@hookspec
def bvf_contexts() -> "Iterable[Provider[ContextSet]]":  # type: ignore[empty-body]
    """Context sets, under the names that ``--contexts`` takes. `bvf.contexts_in` offers a folder of CSV files."""


@hookspec
def bvf_miners() -> "Iterable[Provider[Miner]]":  # type: ignore[empty-body]
    """Miners, by the language that they read. ``make`` gets a `MiningRequest`. Both are in `bvf.interfaces.miner`."""


@hookspec
def bvf_backends() -> "Iterable[Provider[Backend]]":  # type: ignore[empty-body]
    """Backends, under the names that ``--backend`` takes. ``make`` is called with a `bvf.ModelRequest`."""


@hookspec
def bvf_models() -> "Iterable[Provider[ModelFolder]]":  # type: ignore[empty-body]
    """Model folders inside the plugin, under the names that ``--model bundled:NAME`` takes."""


@hookspec
def bvf_criteria() -> "Iterable[Provider[Criterion | KnowledgeCriterion]]":  # type: ignore[empty-body]
    """Criteria J of risk or knowledge, under the names that ``--criterion`` takes. Write a `bvf.Criterion`."""


@hookspec
def bvf_analyses() -> "Iterable[Provider[Analysis[Any]]]":  # type: ignore[empty-body]
    """Analyses of stored probabilities, under the names that ``--analysis`` takes. Write a `bvf.Analysis`."""


@hookspec
def bvf_benchmarks() -> "Iterable[Provider[Benchmark]]":  # type: ignore[empty-body]
    """Published bias benchmarks, under the names that ``bvf factors run`` takes: `bvf.interfaces.benchmark`."""


@hookspec
def bvf_commands() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Commands, under the names that follow ``bvf``: docs/reference/hooks.md.

    ``make`` names a `typer.Typer` or a function with typer's annotations, which is imported when it is called.
    ``summary`` stands in ``bvf --help``. The plugin must be installed; ``--plugin`` comes too late for a command.
    """


@hookspec
def bvf_files() -> "Iterable[Provider[ReportedFile]]":  # type: ignore[empty-body]
    """JSON files of the plugin that ``bvf report`` and ``bvf plot`` can read, like folders of runs.

    The name is the ``schema`` in the file; ``make`` is a class of `bvf.interfaces.reported_file.ReportedFile`.
    """


@hookspec
def bvf_engines() -> "Iterable[Provider[Engine]]":  # type: ignore[empty-body]
    """Engines, which run the scoring of shards and mining, under the names of ``--engine``: docs/how-to/engine.md.

    Write a `bvf.Engine`.
    """
