"""The names that plugins may import from `bvf.tables`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .columns import Column as Column
from .columns import both_ends as both_ends
from .columns import counted_gap as counted_gap
from .columns import figure as figure
from .columns import legend as legend
from .columns import table as table
from .csv import frame_as_csv as frame_as_csv
from .finding import Finding as Finding
from .latex import as_latex as as_latex
from .latex import as_long_latex as as_long_latex
from .markdown import as_markdown as as_markdown
from .quantities import BY_FIELD as BY_FIELD
from .quantities import listed as listed
from .quantities import symbol as symbol
from .quantities import symbols as symbols
from .words import NOTHING as NOTHING
from .words import between as between
from .words import correlation as correlation
from .words import counted as counted
from .words import decimals as decimals
from .words import ends as ends
from .words import in_a_list as in_a_list
from .words import p_value as p_value
from .words import percents as percents
from .words import some_of as some_of
from .words import warned as warned
