"""The configuration of a measurement: which prompts to score, and with which model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    InstanceOf,
    PlainSerializer,
    ValidationError,
    model_validator,
)

from bvf.domain.config import Config, Listed, OneOrMore, Option, parse_values, setting_refused
from bvf.domain.groups import GROUPS_HELP
from bvf.domain.model_names import checked_name
from bvf.domain.numbers import Amount, Count, Finite, NumberOrWord, Positive, Tolerance
from bvf.domain.part import JobPart
from bvf.domain.topic import Topic
from bvf.errors import BvfError

if TYPE_CHECKING:
    from bvf.domain.context import ContextSet


def _contexts(value: object) -> object:
    if not isinstance(value, str):
        from bvf.domain.context import ContextSet  # it needs numpy, which --help does without

        if not isinstance(value, ContextSet):
            raise ValueError("Input should be a name, a file or a bvf.ContextSet")
    return value


def _part(text: str) -> str:
    try:
        return str(JobPart.parse(text)) if text else ""
    except BvfError as error:
        raise ValueError(f"{error.message}; {error.hint}") from error


PartOf = Annotated[str, AfterValidator(_part)]
"""As ``3/16``; empty: the whole."""
_BY_NAME = PlainSerializer(lambda value: getattr(value, "name", value), return_type=str, when_used="json")
TopicChoice = Annotated[str | InstanceOf[Topic], _BY_NAME]
if TYPE_CHECKING:
    ContextsChoice = str | ContextSet
else:
    ContextsChoice = Annotated[Any, BeforeValidator(_contexts), _BY_NAME]
"""A name, a file, or in Python a context set; a stored configuration has only the name of the set."""


MOST_DRAWN = 10_000_000
"""The most contexts that are drawn: more draws fit no memory, and narrow no interval."""
MOST_THREADS = 4096
"""More threads than this crash the libraries that compute."""
WITH_OPTIONS = ("backend", "engine", "topic")
"""Parts of a run whose plugin may have options of its own."""
OPTION_TABLES = tuple(f"{part}_options" for part in WITH_OPTIONS)


@dataclass(frozen=True)
class Everyday:
    """An option of a backend or a topic (see ``part``) that has a short name on the command line.

    The help text is written here, as ``--help`` imports no plugin.
    """

    part: str
    option: Option
    description: str


EVERYDAY = {
    "device": Everyday("backend", Option("Model"), "auto, cpu, cuda, cuda:1, mps."),
    "dtype": Everyday(
        "backend",
        Option("Model", "auto|float32|bfloat16|float16"),
        "Number format of the weights: auto, float32, bfloat16, float16; auto: float32 on a CPU.",
    ),
    "revision": Everyday("backend", Option("Model"), "Branch, tag or commit of the model on the hub."),
    "trust_remote_code": Everyday("backend", Option("Model", kind=bool), "Run code that comes with the model."),
    "allow_pickle": Everyday("backend", Option("Model", kind=bool), "Read weights that are not safetensors."),
    "chat_template": Everyday(
        "backend",
        Option("Model", kind=bool),
        "Chat models: put every context into the user's turn; the words begin the answer.",
    ),
    "chat_turn": Everyday(
        "backend",
        Option("Model", "user|assistant"),
        "Chat models: whose turn a context is; user: the words begin the answer to it; assistant: it begins the "
        "answer, and the words continue it. It implies --chat-template.",
    ),
    "user": Everyday(
        "backend",
        Option("Model", "TEXT"),
        "With --chat-turn assistant: text of the user's turn; a request to continue a text if not given.",
    ),
    "system": Everyday("backend", Option("Model", "TEXT"), "Chat models: text of the system's turn."),
    "chat_variable": Everyday(
        "backend",
        Option("Model", "NAME=VALUE", many=True),
        "Chat models: a variable of the chat template, such as enable_thinking=false.",
    ),
    "word_boundary": Everyday(
        "backend",
        Option("Method", kind=bool),
        "Causal models: count a word only where it ends, so that 'he' does not include 'heir'.",
    ),
    "batch_tokens": Everyday(
        "backend", Option("Advanced", "N|auto"), "Tokens per batch; auto: grows, and backs off when memory runs out."
    ),
    "no_cache": Everyday(
        "backend",
        Option("Advanced", kind=bool),
        "Check the model anew: neither use nor keep what earlier runs learned of it.",
    ),
    "relation": Everyday("topic", Option("What"), "Relation of a topic that reads several from a folder, such as P36."),
}
"""Short names of options: ``--device cuda`` is ``-B device=cuda``."""


class MeasureConfig(Config):
    """What to ask one model: one topic in one context set.

    ``backend``, ``engine`` and ``topic`` may be tables, with ``name`` and options. The options of `EVERYDAY` may be
    written like fields: ``RunConfig(device="cuda")`` is ``RunConfig(backend_options={"device": "cuda"})``.
    """

    model: Annotated[str, Option("Model", "NAME", many=True)] = Field(
        default="",
        description="Hub id, folder, bundled:NAME, package:NAME (an installed Python package that carries a model) or "
        "BACKEND:NAME; the language's bundled model if not given.",
    )
    name: Annotated[Annotated[str, AfterValidator(checked_name)], Option("Model", "TEXT", many=True)] = Field(
        default="",
        description="Name of the model in tables, figures and folders; its own name, or the last part of --model, "
        "if not given. With several models, one each, in their order.",
    )
    topic: Annotated[TopicChoice, Option("What")] = Field(
        default="", description="What to measure, see `bvf topics`, or a topic file (.toml)."
    )
    cross: Annotated[Listed, Option("What", "TOPIC,TOPIC")] = Field(
        default=(), description="Topics whose classes are crossed: race,gender asks for both at once."
    )
    phrase: Annotated[str, Option("What", "PATTERN")] = Field(
        default="",
        description="How words of crossed topics are joined: `a [race] [gender]`; one after another if not given.",
    )
    lang: Annotated[str, Option("What")] = Field(
        default="en", description="Language of the topic, contexts and wording rules; a topic file brings its own."
    )
    contexts: Annotated[ContextsChoice, Option("What", "NAME|FILE", many=True)] = Field(
        default="",
        description="Context set by name, a CSV, TSV, JSONL or Parquet file, or a .txt file with a sentence per line; "
        "the topic's own if not given. "
        "On the command line, repeat it for several sets: each gets a row.",
    )
    openings: Annotated[str, Option("What", "NAME|FILE|none")] = Field(
        default="",
        description="Sentences that the model reads before each template, one of them drawn per context: a pool by "
        "name, see `bvf openings`, or a file; none: templates stand bare. If not given: the topic's pool, and none "
        "before contexts of a file.",
    )
    groups: Annotated[OneOrMore, Option("What", "NAME,NAME", many=True)] = Field(default=(), description=GROUPS_HELP)
    words: Annotated[dict[str, tuple[str, ...]], Option("What", "CLASS=WORD,WORD", many=True)] = Field(
        default={}, description="Other words for a class: 'male=he,him'."
    )
    sample_contexts: Annotated[Annotated[Count, Field(le=MOST_DRAWN)] | None, Option("What", "N", kind=int)] = Field(
        default=None,
        description="Draw N contexts by weight, with replacement, so that intervals hold for the source of the set; "
        "0: ask all. If not given: 80 of the topic's own set, where it is larger.",
    )
    precision: Annotated[Annotated[Finite, Field(gt=0, lt=1)] | None, Option("What", "P", kind=float)] = Field(
        default=None,
        description="Draw 100 contexts, then 200, 400, ..., until half the interval of R is no wider than this.",
    )
    limit_contexts: Annotated[Count, Option("What", "N", kind=int)] = Field(
        default=0, description="Only the N heaviest contexts, which do not represent the others; 0: all."
    )
    limit_groups: Annotated[Count, Option("What", "N", kind=int)] = Field(
        default=0, description="Only N groups, drawn by the seed; 0: all."
    )
    backend: Annotated[str, Option("Model")] = Field(
        default="", description="How the model is read, see `bvf backends`; found from the model's config if not given."
    )
    engine: Annotated[str, Option("Advanced")] = Field(
        default="", description="Where shards are scored: here if not given; processes:4: in four processes at once."
    )
    threads: Annotated[Annotated[Positive, Field(le=MOST_THREADS)] | None, Option("Advanced", "N", kind=int)] = Field(
        default=None,
        description="Threads that compute, 1 or more; several processes divide them. One per processor if not given.",
    )
    tolerance: Annotated[Tolerance | None, Option("Method", "P", kind=float)] = Field(
        default=None,
        description="Leave out words that, on average over a group's contexts, can move no class probability by more "
        "than this, 1e-5 or more; 0: ask every word. "
        "If not given: 1e-3 where contexts are drawn and the backend can leave words out, else 0.",
    )
    mass_sample: Annotated[Annotated[Positive | Literal["all"], NumberOrWord], Option("Method", "N|all")] = Field(
        default=64, description="Prompts on which the candidate mass is measured, or all."
    )
    keep_words: Annotated[bool, Option("Method", kind=bool)] = Field(
        default=False, description="Store log p of every word, however large; below 200 MB it is stored anyway."
    )
    order: Annotated[Literal["groups", "contexts"], Option("Advanced", "groups|contexts")] = Field(
        default="groups",
        description="groups: group by group, which is fastest; contexts: blocks of contexts with all groups in each, "
        "for bvf analyse --unfinished.",
    )
    formats: Annotated[Listed, Option("What", "NAME,NAME|FILE.toml")] = Field(
        default=(),
        description="Ask every context in several formats: names such as bare,user,assistant,tell, or all of a file. "
        "`bvf explain` says what the format changes.",
    )
    reading: Annotated[str, Option("What", "probable|generated|thought")] = Field(
        default="probable",
        description="What is read of the model: the probabilities of the words, the texts that it generates, or the "
        "probabilities after it has thought.",
    )
    samples: Annotated[Positive | None, Option("What", "N", kind=int)] = Field(
        default=None, description="Of generated texts: their number per prompt; 20 if not given, 1 at temperature 0."
    )
    thoughts: Annotated[Positive | None, Option("What", "K", kind=int)] = Field(
        default=None, description="With --reading thought: thoughts per prompt, 2 or more; 8 if not given."
    )
    tokens: Annotated[Positive | None, Option("What", "N", kind=int)] = Field(
        default=None,
        description="The most tokens of a text (--reading generated; 30 if not given) or of a thought (--reading "
        "thought; 256).",
    )
    temperature: Annotated[Amount | None, Option("What", "T", kind=float)] = Field(
        default=None,
        description="Of texts and thoughts: 1 draws tokens as probable as the model says, 0 takes the most probable "
        "one; 1 if not given.",
    )
    seed: Annotated[Count, Option("Method", kind=int)] = Field(
        default=0, description="Seed of everything that is sampled."
    )
    backend_options: Annotated[dict[str, Any], Option("Advanced", "KEY=VALUE", letter="B")] = Field(
        default={}, description="Options of the backend, see `bvf backends show`."
    )
    engine_options: Annotated[dict[str, Any], Option("Advanced", "KEY=VALUE", letter="E")] = Field(
        default={}, description="Options of the engine, see `bvf engines show`."
    )
    topic_options: Annotated[dict[str, Any], Option("Advanced", "KEY=VALUE", letter="T")] = Field(
        default={}, description="Options of the topic, see `bvf topics show`."
    )
    plugin: Annotated[OneOrMore, Option("Advanced", "NAME", many=True)] = Field(
        default=(), description="A plugin whose parts become the defaults of this run; or a module or file.py."
    )
    without: Annotated[OneOrMore, Option("Advanced", "NAME", many=True)] = Field(
        default=(), description="A plugin to leave out."
    )
    label: Annotated[dict[str, str], Option("Output", "NAME=VALUE", many=True)] = Field(
        default={}, description="A note on the run, such as size=7b, by which bvf compare --by size compares runs."
    )
    out: Annotated[str, Option("Output", "DIR")] = Field(
        default="", description="Results folder; runs/NAME if not given."
    )
    part: Annotated[PartOf, Option("Advanced", "I/N")] = Field(
        default="",
        description="Score one part only, as 3/16; sixteen such commands on one shared folder score all of it.",
    )

    @classmethod
    def refusal(cls, error: ValidationError, where: str) -> BvfError:
        return setting_refused(error, where, cls, tuple(EVERYDAY))

    @model_validator(mode="before")
    @classmethod
    def _options_in_their_tables(cls, values: Any) -> Any:
        return with_options_in_tables(values) if isinstance(values, dict) else values

    def chosen_of(self, names: Iterable[str]) -> Iterator[str]:
        """Yield those of some options that are not at their defaults, as users write them: ``--tokens 5``."""
        for name in names:
            value = getattr(self, name)
            if value != type(self).model_fields[name].default:
                yield f"--{name.replace('_', '-')}{'' if value is True else f' {value}'}"


def with_options_in_tables(values: Mapping[str, Any], parts: Sequence[str] = WITH_OPTIONS) -> dict[str, Any]:
    """Return settings with each option of a backend, an engine or a topic moved to its option table.

    >>> with_options_in_tables({"backend": {"name": "causal", "dtype": "float32"}, "device": "cpu"})
    {'backend': 'causal', 'backend_options': {'dtype': 'float32', 'device': 'cpu'}}
    """
    everyday = {name: option.part for name, option in EVERYDAY.items() if option.part in parts}
    rest = {name: value for name, value in values.items() if name not in everyday}
    for part in parts:
        table, given = rest.get(part), rest.get(f"{part}_options", {})
        if not isinstance(given, dict):
            continue  # refused with the other fields
        options = {**table} if isinstance(table, dict) else {}
        if isinstance(table, dict):
            del rest[part]
            rest |= {part: options.pop("name")} if "name" in options else {}
        options |= given
        options |= {name: values[name] for name, of_part in everyday.items() if of_part == part and name in values}
        if options:
            rest[f"{part}_options"] = {name: _parsed(name, value) for name, value in options.items()}
    return rest


def _parsed(name: str, value: Any) -> Any:
    """The value of an option. It is a table for an everyday option whose texts are ``NAME=VALUE``."""
    texts = [value] if isinstance(value, str) else value
    if name in EVERYDAY and EVERYDAY[name].option.many and isinstance(texts, list | tuple):
        return parse_values(texts, f"--{name.replace('_', '-')}")
    return value
