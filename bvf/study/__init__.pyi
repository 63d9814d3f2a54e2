"""The names that plugins may import from `bvf.study`. Each is imported when it is first used."""

from bvf.measuring.config import EVERYDAY as EVERYDAY
from bvf.measuring.config import PartOf as PartOf
from bvf.measuring.config import TopicChoice as TopicChoice
from bvf.measuring.config import with_options_in_tables as with_options_in_tables
from bvf.measuring.folder import read_record as read_record
from bvf.measuring.invocation import invocations_in as invocations_in
from bvf.measuring.kind import AnswerKind as AnswerKind
from bvf.measuring.kind import Gathered as Gathered
from bvf.measuring.plan import Plan as Plan
from bvf.measuring.plan import plan_of as plan_of
from bvf.measuring.questions import Questions as Questions
from bvf.study.candidate_mass import low_mass as low_mass
from bvf.study.candidate_mass import warnings_of as warnings_of
from bvf.study.choices import prepared as prepared
from bvf.study.config import AnalysisKeywords as AnalysisKeywords
from bvf.study.found import folders_of_runs as folders_of_runs
from bvf.study.names import distinct_names as distinct_names
from bvf.study.names import facts_of as facts_of
from bvf.study.names import model_key as model_key
from bvf.study.names import names_over as names_over
from bvf.study.predictions import chosen_groups as chosen_groups
from bvf.study.study import RISK as RISK
from bvf.study.study import RISK_OF_GROUP as RISK_OF_GROUP
from bvf.study.study import Averages as Averages
