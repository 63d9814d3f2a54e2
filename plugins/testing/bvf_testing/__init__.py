"""The conformance kit: checks that every criterion, analysis, backend, benchmark, topic, language, ... must pass.

    @pytest.mark.parametrize("check", criterion_checks(Excess()), ids=str)
    def test_contract(check):
        check()

``bvf check PLUGIN`` runs the same checks without pytest.
"""

from typing import Any

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl
from bvf_testing.analyses import analysis_checks
from bvf_testing.backends import backend_checks
from bvf_testing.benchmarks import benchmark_checks
from bvf_testing.check import Check
from bvf_testing.contexts import contexts_checks
from bvf_testing.criteria import criterion_checks
from bvf_testing.engines import engine_checks
from bvf_testing.imports import assert_light_import
from bvf_testing.languages import language_checks
from bvf_testing.measurements import measurement_of
from bvf_testing.miners import miner_checks
from bvf_testing.readers import reader_checks
from bvf_testing.topics import topic_checks
from bvf_testing.words import own_probabilities

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

BVF_API = 1


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider(
            "check",
            "bvf_testing.command_line.check:check",
            "Check everything that a plugin offers, or a topic file, against what it must do.",
            example="bvf check en",
        ),
        Provider(
            "new",
            "bvf_testing.command_line.new:new",
            "Write a package for a plugin of your own: it installs, works, and passes its tests.",
        ),
    ]
