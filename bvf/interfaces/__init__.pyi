"""The names that plugins may import from `bvf.interfaces`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .backend import RUNTIME as RUNTIME
from .backend import Metered as Metered
from .backend import TextTokens as TextTokens
from .backend import TokenCounting as TokenCounting
from .backend import TokenScoring as TokenScoring
from .backend import WordMass as WordMass
from .benchmark import Answer as Answer
from .benchmark import Item as Item
from .benchmark import Score as Score
from .benchmark import Text as Text
from .miner import Document as Document
from .miner import Found as Found
from .miner import Match as Match
from .miner import Miner as Miner
from .miner import MiningRequest as MiningRequest
from .miner import Span as Span
from .picture import Columns as Columns
from .reader import ReadText as ReadText
from .reported_file import ROWS_SHOWN as ROWS_SHOWN
from .reported_file import ReportedGroup as ReportedGroup
from .section import Cell as Cell
from .section import Quantity as Quantity
from .texts import Writing as Writing
from .texts import random_stream as random_stream
from .texts import writing as writing
from .texts import written_texts as written_texts
from .thoughts import ThinkingBackend as ThinkingBackend
from .thoughts import Thought as Thought
from .tolerance import Tolerance as Tolerance
