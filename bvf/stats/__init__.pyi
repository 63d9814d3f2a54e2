"""The names that plugins may import from `bvf.stats`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .comparing.adjusting import benjamini_yekutieli as benjamini_yekutieli
from .comparing.adjusting import holm as holm
from .comparing.ranks import spearman as spearman
from .figures.components import variance_components as variance_components
from .figures.probabilities import class_probabilities as class_probabilities
from .figures.probabilities import mean_over_contexts as mean_over_contexts
from .figures.quantiles import student_quantile as student_quantile
from .figures.quantiles import student_tail as student_tail
from .figures.quantiles import weighted_quantile as weighted_quantile
from .figures.risk import criterion_for as criterion_for
from .sampling.intervals import Sampled as Sampled
from .sampling.samples import NO_ERROR as NO_ERROR
from .sampling.samples import ContextSample as ContextSample
