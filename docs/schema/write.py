"""Write the published schemas of everything that is stored or printed as JSON: ``python docs/schema/write.py``."""

import json
from pathlib import Path

from bvf_decisions.cue_result import CueResult
from bvf_decisions.pairs.result import PairsResult
from bvf_decisions.result import ImpactResult
from bvf_factors.benchmarks.scored import BenchmarkScores
from bvf_factors.run import FactorsResult
from bvf_insights.asking import AskingComparison
from bvf_insights.contexts import ContextComparison
from bvf_insights.explain.result import Explanation
from bvf_insights.languages import LanguageComparison
from bvf_insights.regress.result import Regressions
from bvf_knowledge.explained.result import KnowledgeExplanation
from bvf_knowledge.result import KnowledgeResult
from bvf_report.site import Leaderboard

from bvf.analyses.compare.result import Comparison
from bvf.analyses.risk.result import Result
from bvf.domain.measurement import MeasurementRecord

MODELS = {
    "measurement-1": MeasurementRecord,
    "result-3": Result,
    "knowledge-3": KnowledgeResult,
    "impact-1": ImpactResult,
    "cues-1": CueResult,
    "pairs-1": PairsResult,
    "comparison-1": Comparison,
    "context-comparison-2": ContextComparison,
    "explanation-1": Explanation,
    "knowledge-explanation-1": KnowledgeExplanation,
    "benchmark-scores-2": BenchmarkScores,
    "factors-1": FactorsResult,
    "languages-1": LanguageComparison,
    "asking-1": AskingComparison,
    "regressions-1": Regressions,
    "leaderboard-1": Leaderboard,
}

for name, model in MODELS.items():
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    (Path(__file__).parent / f"{name}.json").write_text(json.dumps(schema, indent=1) + "\n")
