"""Bias and volatility of language models: `run` a measurement, or `decompose` probabilities of your own."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bvf.api import decompose as decompose
    from bvf.api import decompose_knowledge as decompose_knowledge
    from bvf.backend import Backend as Backend
    from bvf.backend import Fingerprinted as Fingerprinted
    from bvf.backend import ModelFolder as ModelFolder
    from bvf.backend import ModelRequest as ModelRequest
    from bvf.backend import Tokenizing as Tokenizing
    from bvf.config import RunConfig as RunConfig
    from bvf.context import ContextSet as ContextSet
    from bvf.context import Template as Template
    from bvf.contextfile import contexts_in as contexts_in
    from bvf.contextfile import read_contexts as read_contexts
    from bvf.criterion import Criterion as Criterion
    from bvf.criterion import KnowledgeCriterion as KnowledgeCriterion
    from bvf.engine import Engine as Engine
    from bvf.errors import BvfError as BvfError
    from bvf.hookspecs import hookimpl as hookimpl
    from bvf.language import Language as Language
    from bvf.prompt import Prompt as Prompt
    from bvf.provider import Provider as Provider
    from bvf.result import KnowledgeResult as KnowledgeResult
    from bvf.result import Result as Result
    from bvf.result import read_result as read_result
    from bvf.risk import Risk as Risk
    from bvf.runner import run as run
    from bvf.topic import Topic as Topic
    from bvf.topic import read_topic as read_topic
    from bvf.topic import topics_in as topics_in

_HOMES = {
    "decompose": "api",
    "decompose_knowledge": "api",
    "Backend": "backend",
    "Fingerprinted": "backend",
    "ModelFolder": "backend",
    "ModelRequest": "backend",
    "Tokenizing": "backend",
    "RunConfig": "config",
    "ContextSet": "context",
    "Template": "context",
    "contexts_in": "contextfile",
    "read_contexts": "contextfile",
    "Criterion": "criterion",
    "KnowledgeCriterion": "criterion",
    "Engine": "engine",
    "BvfError": "errors",
    "hookimpl": "hookspecs",
    "Language": "language",
    "Prompt": "prompt",
    "Provider": "provider",
    "KnowledgeResult": "result",
    "Result": "result",
    "read_result": "result",
    "Risk": "risk",
    "run": "runner",
    "Topic": "topic",
    "read_topic": "topic",
    "topics_in": "topic",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bvf' has no attribute {name!r}")
    return getattr(import_module(f"bvf.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
