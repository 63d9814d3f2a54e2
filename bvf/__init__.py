"""Bias and volatility of models: `run` a measurement, `analyse` its answers, `compare` models, `decompose` yours."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from bvf.analyses.compare.analysis import compare as compare
    from bvf.analyses.compare.result import Comparison as Comparison
    from bvf.analyses.explain.analysis import explain as explain
    from bvf.analyses.gate.analysis import gate as gate
    from bvf.analyses.knowledge.result import KnowledgeResult as KnowledgeResult
    from bvf.analyses.regress.analysis import regress as regress
    from bvf.analyses.risk.decompose import decompose as decompose
    from bvf.analyses.risk.decompose import decompose_knowledge as decompose_knowledge
    from bvf.analyses.risk.result import Result as Result
    from bvf.domain.context import ContextSet as ContextSet
    from bvf.domain.context import Template as Template
    from bvf.domain.measurement import Measurement as Measurement
    from bvf.domain.media import Media as Media
    from bvf.domain.prompt import Prompt as Prompt
    from bvf.domain.topic import Group as Group
    from bvf.domain.topic import Topic as Topic
    from bvf.errors import BvfError as BvfError
    from bvf.files.contexts import contexts_in as contexts_in
    from bvf.files.contexts import read_contexts as read_contexts
    from bvf.files.topics import read_topic as read_topic
    from bvf.files.topics import topics_in as topics_in
    from bvf.hooks.loader import load as load
    from bvf.hooks.provider import Provider as Provider
    from bvf.hooks.specs import hookimpl as hookimpl
    from bvf.interfaces.analysis import Analysis as Analysis
    from bvf.interfaces.analysis import Choices as Choices
    from bvf.interfaces.analysis import Section as Section
    from bvf.interfaces.analysis import View as View
    from bvf.interfaces.backend import Answers as Answers
    from bvf.interfaces.backend import Backend as Backend
    from bvf.interfaces.backend import Capabilities as Capabilities
    from bvf.interfaces.backend import ModelDescription as ModelDescription
    from bvf.interfaces.backend import ModelFolder as ModelFolder
    from bvf.interfaces.backend import ModelRequest as ModelRequest
    from bvf.interfaces.backend import Tokenizing as Tokenizing
    from bvf.interfaces.criterion import Criterion as Criterion
    from bvf.interfaces.criterion import KnowledgeCriterion as KnowledgeCriterion
    from bvf.interfaces.engine import Engine as Engine
    from bvf.interfaces.engine import Share as Share
    from bvf.interfaces.engine import Work as Work
    from bvf.interfaces.language import Language as Language
    from bvf.interfaces.picture import Picture as Picture
    from bvf.measuring.config import MeasureConfig as MeasureConfig
    from bvf.measuring.folder import read_measurement as read_measurement
    from bvf.measuring.run import measure as measure
    from bvf.mining.config import MineConfig as MineConfig
    from bvf.mining.job import mine as mine
    from bvf.results.fields import common_fields as common_fields
    from bvf.results.kept import read_result as read_result
    from bvf.results.result import GroupResult as GroupResult
    from bvf.results.result import ResultBase as ResultBase
    from bvf.running.config import RunConfig as RunConfig
    from bvf.running.run import analyse as analyse
    from bvf.running.run import run as run
    from bvf.running.run import run_part as run_part
    from bvf.running.several import Runs as Runs
    from bvf.stats.risk import Risk as Risk
    from bvf.study.config import AnalysisConfig as AnalysisConfig
    from bvf.study.predictions import basis_of as basis_of

_HOMES = {
    "Analysis": "interfaces.analysis",
    "AnalysisConfig": "study.config",
    "Answers": "interfaces.backend",
    "Backend": "interfaces.backend",
    "BvfError": "errors",
    "Capabilities": "interfaces.backend",
    "Choices": "interfaces.analysis",
    "Comparison": "analyses.compare.result",
    "ContextSet": "domain.context",
    "Criterion": "interfaces.criterion",
    "Engine": "interfaces.engine",
    "Group": "domain.topic",
    "GroupResult": "results.result",
    "KnowledgeCriterion": "interfaces.criterion",
    "KnowledgeResult": "analyses.knowledge.result",
    "Language": "interfaces.language",
    "MeasureConfig": "measuring.config",
    "Measurement": "domain.measurement",
    "Media": "domain.media",
    "MineConfig": "mining.config",
    "ModelDescription": "interfaces.backend",
    "ModelFolder": "interfaces.backend",
    "ModelRequest": "interfaces.backend",
    "Picture": "interfaces.picture",
    "Prompt": "domain.prompt",
    "Provider": "hooks.provider",
    "Result": "analyses.risk.result",
    "ResultBase": "results.result",
    "Risk": "stats.risk",
    "RunConfig": "running.config",
    "Runs": "running.several",
    "Section": "interfaces.analysis",
    "Share": "interfaces.engine",
    "Template": "domain.context",
    "Tokenizing": "interfaces.backend",
    "Topic": "domain.topic",
    "View": "interfaces.analysis",
    "Work": "interfaces.engine",
    "analyse": "running.run",
    "basis_of": "study.predictions",
    "common_fields": "results.fields",
    "compare": "analyses.compare.analysis",
    "contexts_in": "files.contexts",
    "decompose": "analyses.risk.decompose",
    "decompose_knowledge": "analyses.risk.decompose",
    "explain": "analyses.explain.analysis",
    "gate": "analyses.gate.analysis",
    "hookimpl": "hooks.specs",
    "load": "hooks.loader",
    "measure": "measuring.run",
    "mine": "mining.job",
    "read_contexts": "files.contexts",
    "read_measurement": "measuring.folder",
    "read_result": "results.kept",
    "read_topic": "files.topics",
    "regress": "analyses.regress.analysis",
    "run": "running.run",
    "run_part": "running.run",
    "topics_in": "files.topics",
}

_PACKAGES = {"plot"}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("bvf")
    if name in _PACKAGES:
        return import_module(f"bvf.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'bvf' has no attribute {name!r}")
    return getattr(import_module(f"bvf.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
