"""The names of the conformance kit and the modules that define them."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .analyses import analysis_checks as analysis_checks
from .backends import backend_checks as backend_checks
from .backends import own_probabilities as own_probabilities
from .benchmarks import benchmark_checks as benchmark_checks
from .check import Check as Check
from .check import assert_light_import as assert_light_import
from .criteria import criterion_checks as criterion_checks
from .engines import engine_checks as engine_checks
from .languages import language_checks as language_checks
from .languages import miner_checks as miner_checks
from .measurements import measurement_of as measurement_of
from .readers import reader_checks as reader_checks
from .topics import contexts_checks as contexts_checks
from .topics import topic_checks as topic_checks
