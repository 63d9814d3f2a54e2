"""The names that plugins may import from `bvf.drawing`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .files import ending_of as ending_of
from .files import is_figure as is_figure
from .files import save as save
from .marked import MarkedPicture as MarkedPicture
from .marks import CROSS as CROSS
from .marks import Axis as Axis
from .marks import Band as Band
from .marks import Beside as Beside
from .marks import ColumnNames as ColumnNames
from .marks import Dots as Dots
from .marks import Line as Line
from .marks import Mark as Mark
from .marks import Marks as Marks
from .marks import Matrix as Matrix
from .marks import PointNames as PointNames
from .marks import RowNames as RowNames
from .marks import Rule as Rule
from .marks import Strokes as Strokes
from .marks import figure_dots as figure_dots
from .marks import looks as looks
from .marks import segments as segments
from .marks import side_by_side as side_by_side
from .model_rows import FIGURES as FIGURES
from .names import shown_name as shown_name
from .names import whole_name as whole_name
from .sentences import caption_of as caption_of
from .sentences import groups_shown as groups_shown
from .sentences import what_bars_are as what_bars_are
from .style import FIRST as FIRST
from .style import FONT as FONT
from .style import GREY as GREY
from .style import INK as INK
from .style import MISSING as MISSING
from .style import SMALL as SMALL
from .style import colours_of as colours_of
from .values import Value as Value
