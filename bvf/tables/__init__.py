"""Tables of cells, and their renderers: terminal, Markdown, CSV, LaTeX, and HTML for notebooks."""

from bvf.interfaces.section import Cell as Cell
from bvf.interfaces.section import Quantity as Quantity
from bvf.interfaces.section import Section as Section
from bvf.tables.columns import Column as Column
from bvf.tables.columns import figure as figure
from bvf.tables.columns import table as table
from bvf.tables.csv import as_csv as as_csv
from bvf.tables.csv import frame_as_csv as frame_as_csv
from bvf.tables.html import html as html
from bvf.tables.latex import latex as latex
from bvf.tables.latex import long_latex as long_latex
from bvf.tables.markdown import markdown as markdown
from bvf.tables.terminal import Drawn as Drawn
from bvf.tables.words import between as between
