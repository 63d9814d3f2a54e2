"""The names that plugins may import from `bvf.results`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .columns import figure_text as figure_text
from .compatible import comparable_choices as comparable_choices
from .compatible import grouped as grouped
from .compatible import headings as headings
from .compatible import refuse_mixed as refuse_mixed
from .figure import Figure as Figure
from .figure import Figures as Figures
from .footnotes import not_of_the_run as not_of_the_run
from .judging import NEGLIGIBLE as NEGLIGIBLE
from .method import method_of as method_of
from .method import percent as percent
from .names import name_of as name_of
from .names import named_warnings as named_warnings
from .names import names_of as names_of
from .names import with_distinct_names as with_distinct_names
from .page import PageParts as PageParts
from .page import PageResult as PageResult
from .page import PageResults as PageResults
from .page import Part as Part
from .page import Place as Place
from .page import alike as alike
from .page import comparable as comparable
from .page import refuse_if_none as refuse_if_none
from .plugin_files import read_reported as read_reported
from .plugin_files import reported_in as reported_in
from .restore import measurement_of as measurement_of
from .restore import predictions_of as predictions_of
from .restore import risk_criterion_of as risk_criterion_of
from .restore import study_of as study_of
from .store import analysis_of as analysis_of
from .values import level_of as level_of
from .values import value_of as value_of
from .which import config_in as config_in
