"""The names that plugins may import from `bvf.terminal`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .console import note as note
from .console import print_line as print_line
from .console import stdout as stdout
from .format import Format as Format
from .format import show_as as show_as
from .format import show_found as show_found
from .options import Given as Given
from .options import flag as flag
from .options import with_fields as with_fields
from .outputs import Force as Force
from .outputs import output as output
from .view import view_of as view_of
