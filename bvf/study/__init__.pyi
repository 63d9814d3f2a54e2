"""The names that plugins may import from `bvf.study`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .averages import RISK as RISK
from .averages import RISK_OF_GROUP as RISK_OF_GROUP
from .averages import Averages as Averages
from .candidate_mass import low_mass as low_mass
from .choices import prepared as prepared
from .config import AnalysisKeywords as AnalysisKeywords
from .found import folders_of_runs as folders_of_runs
from .found import read_record as read_record
from .names import distinct_names as distinct_names
from .names import model_key as model_key
from .reference import MEAN as MEAN
