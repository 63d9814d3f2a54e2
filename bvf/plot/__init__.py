"""Figures for papers, drawn by matplotlib from what `bvf.views` says that they show."""

from bvf.plot.figures import compare as compare
from bvf.plot.figures import coverage as coverage
from bvf.plot.figures import distribution as distribution
from bvf.plot.figures import forest as forest
from bvf.plot.figures import heatmap as heatmap
from bvf.plot.figures import lean as lean
from bvf.plot.figures import scale as scale
from bvf.plot.figures import scatter as scatter
from bvf.plot.figures import sunburst as sunburst
from bvf.plot.figures import trend as trend
