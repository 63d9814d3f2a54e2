"""The conformance kit: checks that every criterion, analysis, backend, benchmark, topic, language, ... must pass.

    @pytest.mark.parametrize("check", criterion_checks(Excess()), ids=str)
    def test_contract(check):
        check()

``bvf check PLUGIN`` runs the same checks without pytest.
"""

from bvf.testing.analyses import analysis_checks
from bvf.testing.backends import backend_checks
from bvf.testing.benchmarks import benchmark_checks
from bvf.testing.check import Check
from bvf.testing.contexts import contexts_checks
from bvf.testing.criteria import criterion_checks
from bvf.testing.engines import engine_checks
from bvf.testing.imports import assert_light_import
from bvf.testing.languages import language_checks
from bvf.testing.measurements import measurement_of
from bvf.testing.miners import miner_checks
from bvf.testing.readers import reader_checks
from bvf.testing.topics import topic_checks
from bvf.testing.words import own_probabilities

__all__ = [
    "Check",
    "analysis_checks",
    "assert_light_import",
    "backend_checks",
    "benchmark_checks",
    "contexts_checks",
    "criterion_checks",
    "engine_checks",
    "language_checks",
    "measurement_of",
    "miner_checks",
    "own_probabilities",
    "reader_checks",
    "topic_checks",
]
