"""Bias and volatility of language models: `run` a measurement, or `decompose` probabilities of your own."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bvf.analyse.arrays import decompose as decompose
    from bvf.analyse.arrays import decompose_knowledge as decompose_knowledge
    from bvf.analyse.result import KnowledgeResult as KnowledgeResult
    from bvf.analyse.result import Result as Result
    from bvf.analyse.result import read_result as read_result
    from bvf.analyse.run import run as run
    from bvf.domain.context import ContextSet as ContextSet
    from bvf.domain.context import Template as Template
    from bvf.domain.prompt import Prompt as Prompt
    from bvf.domain.topic import Topic as Topic
    from bvf.errors import BvfError as BvfError
    from bvf.files.contexts import contexts_in as contexts_in
    from bvf.files.contexts import read_contexts as read_contexts
    from bvf.files.topics import read_topic as read_topic
    from bvf.files.topics import topics_in as topics_in
    from bvf.hooks.provider import Provider as Provider
    from bvf.hooks.specs import hookimpl as hookimpl
    from bvf.interfaces.backend import Backend as Backend
    from bvf.interfaces.backend import Fingerprinted as Fingerprinted
    from bvf.interfaces.backend import ModelFolder as ModelFolder
    from bvf.interfaces.backend import ModelRequest as ModelRequest
    from bvf.interfaces.backend import Tokenizing as Tokenizing
    from bvf.interfaces.criterion import Criterion as Criterion
    from bvf.interfaces.criterion import KnowledgeCriterion as KnowledgeCriterion
    from bvf.interfaces.engine import Engine as Engine
    from bvf.interfaces.language import Language as Language
    from bvf.measure.config import RunConfig as RunConfig
    from bvf.stats.risk import Risk as Risk

_HOMES = {
    "decompose": "analyse.arrays",
    "decompose_knowledge": "analyse.arrays",
    "Backend": "interfaces.backend",
    "Fingerprinted": "interfaces.backend",
    "ModelFolder": "interfaces.backend",
    "ModelRequest": "interfaces.backend",
    "Tokenizing": "interfaces.backend",
    "RunConfig": "measure.config",
    "ContextSet": "domain.context",
    "Template": "domain.context",
    "contexts_in": "files.contexts",
    "read_contexts": "files.contexts",
    "Criterion": "interfaces.criterion",
    "KnowledgeCriterion": "interfaces.criterion",
    "Engine": "interfaces.engine",
    "BvfError": "errors",
    "hookimpl": "hooks.specs",
    "Language": "interfaces.language",
    "Prompt": "domain.prompt",
    "Provider": "hooks.provider",
    "KnowledgeResult": "analyse.result",
    "Result": "analyse.result",
    "read_result": "analyse.result",
    "Risk": "stats.risk",
    "run": "analyse.run",
    "Topic": "domain.topic",
    "read_topic": "files.topics",
    "topics_in": "files.topics",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bvf' has no attribute {name!r}")
    return getattr(import_module(f"bvf.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
