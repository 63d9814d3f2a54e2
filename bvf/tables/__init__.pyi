"""The names that plugins may import from `bvf.tables`. Each is imported when it is first used."""

from bvf.tables.columns import Column as Column
from bvf.tables.columns import both_ends as both_ends
from bvf.tables.columns import counted_gap as counted_gap
from bvf.tables.columns import figure as figure
from bvf.tables.columns import legend as legend
from bvf.tables.columns import table as table
from bvf.tables.csv import frame_as_csv as frame_as_csv
from bvf.tables.finding import Finding as Finding
from bvf.tables.latex import as_latex as as_latex
from bvf.tables.latex import as_long_latex as as_long_latex
from bvf.tables.markdown import as_markdown as as_markdown
from bvf.tables.quantities import BY_FIELD as BY_FIELD
from bvf.tables.quantities import listed as listed
from bvf.tables.quantities import symbol as symbol
from bvf.tables.quantities import symbols as symbols
from bvf.tables.words import NOTHING as NOTHING
from bvf.tables.words import between as between
from bvf.tables.words import correlation as correlation
from bvf.tables.words import counted as counted
from bvf.tables.words import decimals as decimals
from bvf.tables.words import ends as ends
from bvf.tables.words import in_a_list as in_a_list
from bvf.tables.words import p_value as p_value
from bvf.tables.words import percents as percents
from bvf.tables.words import some_of as some_of
from bvf.tables.words import warned as warned
