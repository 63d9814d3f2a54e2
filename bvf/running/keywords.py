"""The fields of configurations as keywords of functions, for editors, notebooks and type checkers."""

from collections.abc import Callable
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import Any

from bvf.domain.config import Config
from bvf.domain.context import ContextSet
from bvf.domain.keywords import File
from bvf.measuring.keywords import AskedKeywords
from bvf.study.config import MethodKeywords


class RiskKeywords(AskedKeywords, MethodKeywords, total=False):
    """The fields of `RunConfig` except ``model``, ``name`` and ``contexts``, which may be lists, and ``analysis``."""

    controls: bool
    other_words: bool | None


class ManyKeywords(RiskKeywords, total=False):
    """The fields of `RunConfig` except ``model``, ``name`` and ``contexts``. `bvf.run` takes lists for these three."""

    analysis: str


class RunKeywords(ManyKeywords, total=False):
    """All fields of `RunConfig`."""

    model: File
    name: str
    contexts: str | Path | ContextSet


def list_keywords(function: Callable[..., Any], config: type[Config]) -> None:
    """List the fields of a configuration in the signature and the docstring of a function that takes them as keywords.

    Notebooks complete keywords from a signature, and show the docstring.
    """
    own = [each for each in signature(function).parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    fields = {name: info for name, info in config.model_fields.items() if name not in {each.name for each in own}}
    keywords = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=info.get_default(), annotation=info.annotation)
        for name, info in fields.items()
    ]
    function.__signature__ = signature(function).replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
    described = [f"    {name}: {info.description}" for name, info in fields.items()]
    function.__doc__ = "\n".join([cleandoc(function.__doc__ or ""), "", "Keywords:", *described])
