"""The parts: short, and with the names that `bvf new` had a stranger import on 2026-11-30. Never edited."""

import re
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Annotated, ClassVar, Literal

import numpy as np
import typer
from bvf_texts.reader import Reader, Unread
from pydantic import BaseModel, Field

import bvf
from bvf import (
    Analysis,
    Backend,
    Benchmark,
    BvfError,
    Capabilities,
    Criterion,
    Engine,
    GroupResult,
    Language,
    PictureKind,
    Prompt,
    ReportedFile,
    ResultBase,
    Section,
    Share,
    Study,
    Template,
    Verdict,
)
from bvf.domain import Declaration
from bvf.drawing import Axis, Dots, MarkedPicture, Marks, RowNames
from bvf.files import read_rows
from bvf.interfaces import Found, Item, Match, Miner, Origin, ReportedFigure, Score, Span
from bvf.results import Contribution, PageParts, Part, Place, common_to_all, intervals_of, value_of
from bvf.stats import mean_probabilities
from bvf.tables import Column, Finding, decimals, table
from bvf.terminal import Format, show_as


class Frozen(Language):
    code = "fz"
    default_topic = "frozen-trades"
    default_model = "frozen-lengths:x"

    def agree(self, template, group, features):
        made = self.render(template, group)
        return replace(made, left=made.left.replace("The ", {"feminine": "La "}.get(features.get("gender"), "The "), 1))

    def word_form(self, word, features):
        return word + {"feminine": "a", "masculine": "o"}.get(features.get("gender"), "")

    def render(self, template, group):
        left, _, right = template.text.replace("[X]", group).partition("[Y]")
        return Prompt(left.rstrip(), right, group, template.text, spaced=left != left.rstrip())


class Said(Miner):
    models = "a regular expression"

    def __init__(self, request):
        words = sorted(word for words in request.topic.counted_words().values() for word in words)
        self.said = re.compile(rf"(?P<subject>\w+) (?P<verb>said|knew) (?P<word>{'|'.join(words)})")

    def find(self, documents, /):
        found = Found()
        for document in documents:
            found.sentences += 1
            found.parsed += 1
            for said in self.said.finditer(document.text):
                spans = [Span(*said.span(part)) for part in (0, "subject", "word")]
                found.matches.append(Match(Template(f"[X] {said['verb']} [Y]"), document, *spans, said["verb"]))
        return found


class Lean(BaseModel):
    lean: float = 1.0


class Lengths(Backend):
    capabilities = Capabilities(reads_right=False, answers_from_table=True)

    def __init__(self, request):
        self.lean = (request.options or Lean()).lean

    def score(self, prompts, words, *, absolute):
        return np.array([[-2.0 - self.lean * ((len(p.left) * len(w)) % 7) for w in words] for p in prompts])


class Mean(Criterion):
    curvature = "convex"
    sublinear = True

    def risk(self, s, /):
        return np.abs(s).mean(axis=-1)


class Apart(Criterion):
    curvature = "convex"

    def __init__(self, power="1", p_star=None):
        if not power.isdecimal() or int(power) == 0:
            raise BvfError(f'frozen-apart: "{power}" is no power', "1 or more")
        self.power, self.p_star = power, p_star

    def for_reference(self, p_star):
        return Apart(self.power, p_star)

    def risk(self, s, /):
        return (np.abs(s if self.p_star is None else self.p_star * s) ** int(self.power)).sum(axis=-1)


class AboveGroup(GroupResult):
    above: float


class AboveResult(ResultBase):
    schema_: Literal["frozen-above/1"] = Field("frozen-above/1", alias="schema")
    above: float
    percent: int
    in_short: ClassVar[tuple[str, ...]] = ("above",)
    groups: tuple[AboveGroup, ...]


@dataclass(frozen=True)
class AbovePicture(MarkedPicture):
    kind: ClassVar[str] = "frozen-above"
    title: ClassVar[str] = "Contexts above"
    result: AboveResult

    def caption(self):
        return f"Frozen: how often the first class is above {self.result.percent} %."

    def marks(self):
        groups = self.result.groups
        dots = Dots([value_of(group, "above") for group in groups], range(len(groups)))
        return Marks([dots], Axis("share of contexts"), RowNames([group.group for group in groups]))


class AboveKind(PictureKind):
    picture = AbovePicture

    def of(self, result):
        return AbovePicture(result)


class Above(Analysis):
    results = AboveResult
    figures: ClassVar = {"above": "above"}

    def __init__(self, percent="50"):
        self.percent = int(percent)

    def applies(self, criterion):
        return False

    def run(self, measurement, choices):
        study = Study.of(measurement, choices)
        predictions = study.predictions
        assert mean_probabilities(predictions.probabilities, predictions.context_weights).min() >= 0
        above = (predictions.weights_of_group * self.matrix(predictions)).sum(axis=1)
        pairs = zip(above.tolist(), predictions.of_each_group(), strict=True)
        figures = Contribution(
            fields={"above": float(predictions.group_weights @ above), "percent": self.percent},
            of_groups=[{**each, "above": share} for share, each in pairs],
        )
        common, intervals = common_to_all(measurement, predictions, choices), intervals_of(study, self, figures)
        return (common | figures | intervals.as_contribution()).built(AboveResult)

    def matrix(self, predictions):
        return (np.nan_to_num(predictions.probabilities)[..., 0] * 100 > self.percent).astype(float)

    def sampled(self, study, sample):
        return [study.average("above", self.matrix(study.predictions), sample)]

    def rows(self, results, view):
        columns = (Column("model", lambda each: each.model), Column("above", lambda each: decimals(each.above)[0]))
        groups = (Column("group", lambda each: each.group), Column("above", lambda each: decimals(each.above)[0]))
        return [
            table(f"frozen: above {self.percent} %", columns, results),
            *(table(f"{each.model}: above {each.percent} %", groups, each.groups) for each in results),
        ]

    def pictures(self, results):
        return [AbovePicture(result) for result in results]

    def verdicts(self, result):
        return [Verdict("cannot tell", f"Frozen: in {result.above:.1%} of contexts.", ())]


class Count(Finding):
    schema_: Literal["frozen.count/1"] = Field("frozen.count/1", alias="schema")
    tables: ClassVar[str] = "bvf_frozen_1.parts:tables_of"
    runs: int

    def to_frame(self):
        import pandas

        return pandas.DataFrame({"runs": [self.runs]})


def tables_of(finding, show=0):
    return [Section("frozen count", ("runs",), [(str(finding.runs),)])]


def count(folders, config, plugins, preferred):
    return Count(runs=len(folders))


class Page(PageParts):
    place = Place.DETAILS

    def of_page(self, page, above):
        return [Part("frozen", "Frozen part", (f"{len(page.all)} results.",))]


class MarksFile(ReportedFile):
    what = "Marks"

    def __init__(self, values, name):
        self.title, self.values = name, values

    def sections(self, show=24):
        return [Section("marks", ("mark",), [(str(self.values["mark"]),)])]

    def picture(self, of, *, show=24, factors=()):
        raise BvfError("marks have no picture")

    def figures(self):
        return [ReportedFigure("mark", "someone", self.values["mark"], None, None, 0.95, "item")]


class Pool(Engine):
    def map(self, tasks, work):
        do = work.begin(Share())
        for each in tasks:
            yield each, do(each)


class Last(Reader):
    def reading(self, classes, language):
        class_of = {word.lower(): each.name for each in classes for word in each.words}
        words = re.compile(r"\w+").findall
        return lambda text: next((class_of[w] for w in words(text.lower())[::-1] if w in class_of), Unread("no word"))


class Duos(Benchmark):
    title = "frozen-duos"
    language = "en"
    asks = "answers"
    origin = Origin("https://example.org", "CC0-1.0", "A frozen plugin of the tests")
    declaration = Declaration.model_validate(
        {"outcome": "stereotyped", "cluster": "text", "factors": {"place": {}, "tense": {"type": "prompt"}}}
    )
    sample = files(__package__) / "sample.csv"

    def items(self, data):
        for number, row in enumerate(read_rows(data)):
            values = {column: row.text(column) for column in ("text", "stereotype", "other", "place", "tense")}
            yield Item(str(number), (values["stereotype"], values["other"]), values["text"], values=values)

    def row(self, answer):
        own = {name: answer.item.values[name] for name in ("text", "place", "tense")}
        return {**own, "stereotyped": None if answer.choice is None else answer.choice == 0}

    def scores(self, answers):
        decided = [answer for answer in answers if answer.choice is not None]
        return [Score.share("stereotyped", decided, lambda answer: answer.choice == 0, ideal=0.5)]


def words_of(topic, lang="en"):
    found = bvf.find_topic(topic, bvf.load(), lang)
    return {name: len(words) for name, words in found.counted_words().items()}


def words_of_classes(topic: Annotated[str, typer.Argument(metavar="TOPIC", help="A topic.")], form: Format = "text"):
    """Count the words of each class of a topic."""
    counts = words_of(topic)
    show_as(form, [Section("frozen words", ("class", "words"), [(k, str(v)) for k, v in counts.items()])], counts)
