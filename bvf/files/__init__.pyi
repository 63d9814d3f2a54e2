"""The names that plugins may import from `bvf.files`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .contexts.frames import read_formats as read_formats
from .contexts.frames import read_frames as read_frames
from .contexts.replicates import Replicates as Replicates
from .contexts.replicates import write_replicates as write_replicates
from .contexts.sampling import replicates_of as replicates_of
from .contexts.sets import CONTEXT_ENDINGS as CONTEXT_ENDINGS
from .declared import DeclaredReader as DeclaredReader
from .digests import digest_of as digest_of
from .digests import digest_of_bytes as digest_of_bytes
from .group_tables import read_group_values as read_group_values
from .group_tables import read_group_weights as read_group_weights
from .locks import ONE_AT_A_TIME as ONE_AT_A_TIME
from .machine import processors as processors
from .machine import threads as threads
from .parsing import is_file as is_file
from .parsing import parse_json as parse_json
from .parsing import parse_toml as parse_toml
from .parsing import read_bytes as read_bytes
from .parsing import read_text as read_text
from .pieces import each_once as each_once
from .table_files import TABLE_ENDINGS as TABLE_ENDINGS
from .table_files import Row as Row
from .text_lists import read_lists as read_lists
from .writing import Output as Output
from .writing import disk_errors_explained as disk_errors_explained
from .writing import replacing as replacing
from .writing import write_text as write_text
