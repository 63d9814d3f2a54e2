"""The public names of `bvf` for type checkers: those of the core, and what our packages add by `bvf_functions`."""

from bvf_insights.explain.analysis import explain as explain
from bvf_insights.plan import plan as plan
from bvf_insights.regress.analysis import regress as regress
from bvf_knowledge.decompose import decompose_knowledge as decompose_knowledge
from bvf_knowledge.result import KnowledgeResult as KnowledgeResult
from bvf_mining.config import MineConfig as MineConfig
from bvf_mining.job import mine as mine
from bvf_report import export as export
from bvf_report import plot as plot
from bvf_report.report import report as report
from bvf_texts.reader import Reader as Reader

from .core import *  # noqa: F403

__version__: str
