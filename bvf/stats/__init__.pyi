"""The names that plugins may import from `bvf.stats`. Each is imported when it is first used."""

from bvf.arrays import BoolArray as BoolArray
from bvf.arrays import FloatArray as FloatArray
from bvf.arrays import IntArray as IntArray
from bvf.stats.comparing.adjusting import benjamini_yekutieli as benjamini_yekutieli
from bvf.stats.comparing.adjusting import holm as holm
from bvf.stats.comparing.ranks import spearman as spearman
from bvf.stats.figures.components import variance_components as variance_components
from bvf.stats.figures.probabilities import class_probabilities as class_probabilities
from bvf.stats.figures.probabilities import mean_over_contexts as mean_over_contexts
from bvf.stats.figures.probabilities import mean_probabilities as mean_probabilities
from bvf.stats.figures.quantiles import student_quantile as student_quantile
from bvf.stats.figures.quantiles import student_tail as student_tail
from bvf.stats.figures.quantiles import weighted_quantile as weighted_quantile
from bvf.stats.figures.risk import criterion_for as criterion_for
from bvf.stats.sampling.intervals import Sampled as Sampled
from bvf.stats.sampling.samples import NO_ERROR as NO_ERROR
from bvf.stats.sampling.samples import ContextSample as ContextSample
