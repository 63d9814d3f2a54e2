"""The public names of `bvf`: type checkers read them here, and `bvf` itself when it is imported."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from . import plot as plot
from .analyses.compare.analysis import compare as compare
from .analyses.compare.result import Comparison as Comparison
from .analyses.explain.analysis import explain as explain
from .analyses.gate.analysis import gate as gate
from .analyses.knowledge.result import KnowledgeResult as KnowledgeResult
from .analyses.regress.analysis import regress as regress
from .analyses.risk.decompose import decompose as decompose
from .analyses.risk.decompose import decompose_knowledge as decompose_knowledge
from .analyses.risk.result import Result as Result
from .domain.context import ContextSet as ContextSet
from .domain.context import Template as Template
from .domain.measurement import Measurement as Measurement
from .domain.media import Media as Media
from .domain.prompt import Prompt as Prompt
from .domain.topic import Group as Group
from .domain.topic import Topic as Topic
from .errors import BvfError as BvfError
from .files.contexts.sets import contexts_in as contexts_in
from .files.contexts.sets import read_contexts as read_contexts
from .files.topics import read_topic as read_topic
from .files.topics import topics_in as topics_in
from .hooks.loader import load as load
from .hooks.provider import Provider as Provider
from .hooks.specs import hookimpl as hookimpl
from .interfaces.analysis import Analysis as Analysis
from .interfaces.analysis import Choices as Choices
from .interfaces.analysis import Section as Section
from .interfaces.analysis import View as View
from .interfaces.backend import Answers as Answers
from .interfaces.backend import Backend as Backend
from .interfaces.backend import Capabilities as Capabilities
from .interfaces.backend import ModelDescription as ModelDescription
from .interfaces.backend import ModelFolder as ModelFolder
from .interfaces.backend import ModelRequest as ModelRequest
from .interfaces.backend import Tokenizing as Tokenizing
from .interfaces.criterion import Criterion as Criterion
from .interfaces.criterion import KnowledgeCriterion as KnowledgeCriterion
from .interfaces.engine import Engine as Engine
from .interfaces.engine import Share as Share
from .interfaces.engine import Work as Work
from .interfaces.language import Language as Language
from .interfaces.picture import Picture as Picture
from .measuring.config import MeasureConfig as MeasureConfig
from .measuring.folder import read_measurement as read_measurement
from .measuring.run import measure as measure
from .mining.config import MineConfig as MineConfig
from .mining.job import mine as mine
from .results.fields import common_fields as common_fields
from .results.kept import read_result as read_result
from .results.result import GroupResult as GroupResult
from .results.result import ResultBase as ResultBase
from .running.config import RunConfig as RunConfig
from .running.run import analyse as analyse
from .running.run import run as run
from .running.run import run_part as run_part
from .running.several import Runs as Runs
from .stats.figures.risk import Risk as Risk
from .study.config import AnalysisConfig as AnalysisConfig
from .study.predictions import basis_of as basis_of

__version__: str
