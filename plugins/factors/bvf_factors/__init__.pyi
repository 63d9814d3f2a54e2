"""The public names of `bvf_factors`: type checkers read them here, and `bvf_factors` itself when it is imported."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .benchmarks.answer_folder import stored_answers as stored_answers
from .benchmarks.asking import BenchmarkConfig as BenchmarkConfig
from .benchmarks.benchmarking import run_benchmark as run_benchmark
from .benchmarks.scored import BenchmarkScores as BenchmarkScores
from .benchmarks.scored import benchmark_scores as benchmark_scores
from .covering import coverage as coverage
from .covering import missing_prompts as missing_prompts
from .rates.comparing import compare_models as compare_models
from .rates.spread import spread as spread
from .rates.subgroups import subgroups as subgroups
from .regressing.importance import importance as importance
from .run import FactorsResult as FactorsResult
from .run import analyse_table as analyse_table
from .run import read_declaration as read_declaration
from .run import read_table as read_table
from .run import table_of_frame as table_of_frame
