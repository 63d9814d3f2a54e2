"""The names that plugins may import from `bvf.domain`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .chat import Chat as Chat
from .chat import Turn as Turn
from .config import Config as Config
from .config import OneOrMore as OneOrMore
from .config import Option as Option
from .config import settings_of as settings_of
from .context import Sampling as Sampling
from .factors import Declaration as Declaration
from .generation import Generation as Generation
from .keywords import File as File
from .keywords import Names as Names
from .measurement import RECORD as RECORD
from .measurement import Asked as Asked
from .measurement import CandidateMass as CandidateMass
from .measurement import MeasuredModel as MeasuredModel
from .measurement import MeasurementRecord as MeasurementRecord
from .measurement import ScoreCheck as ScoreCheck
from .model_names import last_part as last_part
from .numbers import Amount as Amount
from .numbers import Count as Count
from .numbers import Finite as Finite
from .numbers import Level as Level
from .numbers import Positive as Positive
from .numbers import Share as Share
from .numbers import checked_number as checked_number
from .option_texts import text_of as text_of
from .record import Record as Record
from .scale import USUAL as USUAL
from .spelling import plain_letters as plain_letters
from .topic import Attribute as Attribute
from .topic import Meaning as Meaning
from .topic import checked_topic as checked_topic
from .variants.formats import Format as Format
from .variants.frames import Frame as Frame
