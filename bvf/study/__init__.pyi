"""The names that plugins may import from `bvf.study`. Each is imported when it is first used."""

from bvf.measuring.config import PartOf as PartOf
from bvf.measuring.config import TopicChoice as TopicChoice
from bvf.measuring.config import with_options_in_tables as with_options_in_tables
from bvf.measuring.plan import Plan as Plan
from bvf.measuring.plan import plan_of as plan_of
from bvf.study.averages import RISK as RISK
from bvf.study.averages import RISK_OF_GROUP as RISK_OF_GROUP
from bvf.study.averages import Averages as Averages
from bvf.study.candidate_mass import low_mass as low_mass
from bvf.study.choices import prepared as prepared
from bvf.study.config import AnalysisKeywords as AnalysisKeywords
from bvf.study.found import folders_of_runs as folders_of_runs
from bvf.study.found import read_record as read_record
from bvf.study.names import distinct_names as distinct_names
from bvf.study.names import model_key as model_key
from bvf.study.reference import MEAN as MEAN
