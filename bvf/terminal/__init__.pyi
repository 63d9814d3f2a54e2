"""The names that plugins may import from `bvf.terminal`. Each is imported when it is first used."""

from bvf.terminal.console import is_terminal as is_terminal
from bvf.terminal.console import note as note
from bvf.terminal.console import print_line as print_line
from bvf.terminal.console import print_text as print_text
from bvf.terminal.console import stderr as stderr
from bvf.terminal.console import stdout as stdout
from bvf.terminal.format import Format as Format
from bvf.terminal.format import show_as as show_as
from bvf.terminal.format import show_found as show_found
from bvf.terminal.method import Folder as Folder
from bvf.terminal.method import Plugin as Plugin
from bvf.terminal.method import Quiet as Quiet
from bvf.terminal.method import merged_analysis as merged_analysis
from bvf.terminal.method import view_of as view_of
from bvf.terminal.options import Given as Given
from bvf.terminal.options import configs_of_models as configs_of_models
from bvf.terminal.options import flag as flag
from bvf.terminal.options import option as option
from bvf.terminal.options import with_fields as with_fields
from bvf.terminal.outputs import Force as Force
from bvf.terminal.outputs import output as output
from bvf.terminal.progress import progress_bar as progress_bar
