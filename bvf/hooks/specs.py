"""The interface of plugins: nineteen hooks of the same form.

A hook takes no arguments, does no work, and returns `bvf.Provider` objects. It opens no file, imports nothing
heavy and touches no network. A provider has a name, which users type, and ``make``, a callable that makes the offered
object when it is used; what users write after a colon (``lk:2``) is its argument.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from bvf.domain.context import ContextSet
    from bvf.domain.topic import Topic
    from bvf.hooks.provider import Provider
    from bvf.interfaces.backend import Backend, ModelFolder
    from bvf.interfaces.benchmark import Benchmark
    from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
    from bvf.interfaces.engine import Engine
    from bvf.interfaces.language import Language
    from bvf.interfaces.miner import Miner
    from bvf.interfaces.reported_file import ReportedFile

API = 1
"""Version of the hooks, raised only if one is removed or changes its meaning; a plugin asks for ``BVF_API = 1``."""
LOWEST_API = 1
"""The lowest version of the hooks for which a plugin may be written."""

hookspec = pluggy.HookspecMarker("bvf")
hookimpl = pluggy.HookimplMarker("bvf")


@hookspec
def bvf_languages() -> "Iterable[Provider[Language]]":  # type: ignore[empty-body]
    """Offer languages (rules that word prompts), under the codes that ``--lang`` takes.

    Write a subclass of `bvf.Language`; ``make`` gets nothing.
    """


@hookspec
def bvf_topics() -> "Iterable[Provider[Topic]]":  # type: ignore[empty-body]
    """Offer topics (groups, attributes and their words), under the names that ``--topic`` takes.

    Write TOML files; `bvf.topics_in` returns the providers for a folder of them. Another ``make`` gets the text after
    the colon, if any, and the options, and returns a `bvf.Topic`.
    """


@hookspec
def bvf_contexts() -> "Iterable[Provider[ContextSet]]":  # type: ignore[empty-body]
    """Offer context sets (weighted templates with slots), under the names that ``--contexts`` takes.

    Write CSV files; `bvf.contexts_in` returns the providers for a folder of them. Another ``make`` gets the text after
    the colon, if any, and returns a `bvf.ContextSet`.
    """


@hookspec
def bvf_miners() -> "Iterable[Provider[Miner]]":  # type: ignore[empty-body]
    """Offer miners (finders of templates in a corpus), under the names that ``--miner`` takes.

    Several may read one ``language``, which the provider names; `bvf.Language.default_miner` is used without
    ``--miner``. Write a subclass of `bvf.interfaces.Miner`; ``make`` gets a `bvf.interfaces.MiningRequest`.
    """


@hookspec
def bvf_backends() -> "Iterable[Provider[Backend]]":  # type: ignore[empty-body]
    """Offer backends (loaders of models that score words in prompts), under the names that ``--backend`` takes.

    Write a subclass of `bvf.Backend`; ``make`` gets a `bvf.ModelRequest`.
    """


@hookspec
def bvf_models() -> "Iterable[Provider[ModelFolder]]":  # type: ignore[empty-body]
    """Offer model folders (weights shipped in the plugin), under the names that ``--model bundled:NAME`` takes.

    ``make`` gets nothing and returns a `bvf.ModelFolder`.
    """


@hookspec
def bvf_criteria() -> "Iterable[Provider[Criterion | KnowledgeCriterion]]":  # type: ignore[empty-body]
    """Offer criteria (the risk J of a stereotype, or a score of knowledge), under the names that ``--criterion`` takes.

    Write a subclass of `bvf.Criterion` or `bvf.KnowledgeCriterion`; ``make`` gets the text after the colon, if any.
    """


@hookspec
def bvf_analyses() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer analyses (results computed from stored probabilities), under the names that ``--analysis`` takes.

    Write a subclass of `bvf.Analysis`; ``make`` gets the text after the colon, if any.
    """


@hookspec
def bvf_benchmarks() -> "Iterable[Provider[Benchmark]]":  # type: ignore[empty-body]
    """Offer published bias benchmarks (items and scores), under the names that ``bvf factors run`` takes.

    Write a subclass of `bvf.Benchmark`; ``make`` gets the text after the colon, if any.
    """


@hookspec
def bvf_commands() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer commands (of the command line), under the names that follow ``bvf``: see docs/reference/hooks.md.

    ``make`` names a `typer.Typer` or a function with typer's annotations, which is imported when it is called.
    ``summary`` stands in ``bvf --help``, and ``example`` at the end of the command's own help. The plugin must be
    installed; ``--plugin`` comes too late for a command.
    """


@hookspec
def bvf_functions() -> "Iterable[Provider[Callable[..., Any]]]":  # type: ignore[empty-body]
    """Offer functions and classes of Python, under the names by which they are found in `bvf`, such as `bvf.explain`.

    ``make`` names the function, which is imported when it is first used. The plugin must be installed.
    """


@hookspec
def bvf_comparisons() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer ways to compare runs, under the names that ``bvf compare --by`` takes besides labels of the runs.

    ``make`` gets the folders (`pathlib.Path`), the choices of the analysis that the user made (`bvf.AnalysisConfig`),
    the plugins (what `bvf.load` returns) and the names of ``--plugin``. It returns a `bvf.tables.Finding`.
    """


@hookspec
def bvf_findings() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer classes of findings that a command prints as JSON, so that ``bvf export`` reads such files.

    Write a subclass of `bvf.tables.Finding` with a method ``to_frame``. Its provider has the ``schema`` in the
    file as its name, and the class as ``make``.
    """


@hookspec
def bvf_page_parts() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer sections of the page of ``bvf report``, under names that users never type.

    Write a subclass of `bvf.results.PageParts`; ``make`` gets nothing, or its options. Fields of the options that
    have a `bvf.domain.Option` are options of ``bvf report``, if the plugin is installed.
    """


@hookspec
def bvf_pictures() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer pictures of results, under the names that ``bvf plot --kind`` takes and functions of `bvf.plot` have.

    Write a subclass of `bvf.PictureKind`; ``make`` gets nothing, or its options. Fields of the
    options that have a `bvf.domain.Option` are options of ``bvf plot``, if the plugin is installed.
    """


@hookspec
def bvf_files() -> "Iterable[Provider[ReportedFile]]":  # type: ignore[empty-body]
    """Offer readers of the plugin's JSON files, which ``bvf report`` and ``bvf plot`` then take like folders of runs.

    Write a subclass of `bvf.ReportedFile`. Its provider has the ``schema`` in the file as its
    name; ``make``, the class, gets the parsed values and the name of the file.
    """


@hookspec
def bvf_engines() -> "Iterable[Provider[Engine]]":  # type: ignore[empty-body]
    """Offer engines (they run the scoring of prompts and the mining of corpora), under the names of ``--engine``.

    Write a subclass of `bvf.Engine`; ``make`` gets the text after the colon, if any, and the options. See
    docs/how-to/engine.md.
    """


@hookspec
def bvf_readers() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer readers (they turn a text that a model wrote into a class), under the names that ``--reader`` takes.

    Write a subclass of `bvf.Reader`; ``make`` gets the text after the colon, if any. See
    docs/how-to/generated.md.
    """


@hookspec
def bvf_answers() -> "Iterable[Provider[Any]]":  # type: ignore[empty-body]
    """Offer kinds of answers (what a model is asked for, how it is stored and read), under the names of ``--reading``.

    Write a subclass of `bvf.study.AnswerKind`; ``make`` gets nothing. The plugin must be installed, so that runs in
    folders are read without a model; ``--plugin`` comes too late.
    """
