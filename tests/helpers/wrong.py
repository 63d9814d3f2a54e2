"""For every check of the kit something that is wrong in just that way, with a good one of its kind beside it."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Literal

import numpy as np
from bvf_testing import (
    analysis_checks,
    backend_checks,
    contexts_checks,
    criterion_checks,
    engine_checks,
    language_checks,
    miner_checks,
    reader_checks,
    topic_checks,
)
from bvf_texts.reader import Reader, Unread
from pydantic import Field, computed_field

from bvf import (
    Analysis,
    Answers,
    Backend,
    Capabilities,
    ContextSet,
    Criterion,
    Engine,
    KnowledgeCriterion,
    Language,
    ModelDescription,
    Picture,
    Prompt,
    ResultBase,
    Section,
    Template,
    Topic,
)
from bvf.domain.context import Card
from bvf.domain.openings import Openings
from bvf.errors import BvfError
from bvf.interfaces.engine import Share
from bvf.interfaces.miner import Document, Found, Match, Miner, Span
from bvf.interfaces.texts import Writing
from bvf.interfaces.thoughts import ThinkingBackend, Thought
from bvf.results.contribution import common_fields
from bvf.results.result import GroupResult
from bvf.stats.figures.probabilities import mean_probabilities
from bvf.study.predictions import basis_of


def but(kind, *given, **changes):
    """An object of a class in which some methods or attributes are others."""
    return type(f"{kind.__name__}But", (kind,), changes)(*given)


def positive(s):
    return np.maximum(s, 0.0).max(axis=-1)


class J(Criterion):
    """A criterion of any function."""

    def __init__(self, function, curvature="convex", sublinear=False):
        self.function = function
        self.curvature = curvature
        self.sublinear = sublinear

    def risk(self, s, /):
        return self.function(s)


class Unguarded(J):
    """Without the guards of `Criterion.__call__`, so that the kit is what finds out."""

    def __call__(self, s):
        return self.function(np.array(s))


class KeepingOneReference(Criterion):
    """Has one p* for all that it ever returned."""

    p_star = 0.5

    def for_reference(self, p_star):
        self.p_star = p_star
        return self

    def risk(self, s, /):
        return (self.p_star * np.abs(s)).sum(axis=-1)


class Score(KnowledgeCriterion):
    def __init__(self, function):
        self.function = function

    def score(self, p, /):
        return self.function(p)


def overwriting(s):
    np.maximum(s, 0.0, out=s)
    return s.max(axis=-1)


RISK = {
    "zero_at_the_reference": J(lambda s: positive(s) + 0.1),
    "never_negative": J(lambda s: s.min(axis=-1)),
    "curvature_holds": J(lambda s: np.sqrt(positive(s))),
    "sublinear_holds": J(lambda s: positive(s) ** 2, sublinear=True),
    "one_at_most_on_the_unit_scale": J(lambda s: np.minimum(positive(s), 0.5) - 0.1 * positive(s), "neither"),
    "shape_is_that_of_the_vectors": J(lambda s: positive(s) * (1.0 + s.ndim)),
    "any_number_type_is_taken": Unguarded(lambda s: positive(s).astype(s.dtype)),
    "missing_stays_missing": J(lambda s: np.nan_to_num(positive(s))),
    "references_are_kept_apart": KeepingOneReference(),
}
RISK_TOO = {
    "sublinear_holds": J(lambda s: np.abs(s).max(axis=-1) + positive(s) * positive(-s), sublinear=True),
    "curvature_holds": J(positive, "concave"),
    "any_number_type_is_taken": J(overwriting),
    "shape_is_that_of_the_vectors": Unguarded(lambda s: positive(s)[..., np.newaxis]),
}
KNOWLEDGE = {
    "nothing_known_and_all_known": Score(lambda p: 0.9 * np.sqrt(p)),
    "never_decreasing": Score(lambda p: np.sin(np.pi * p / 2) * (1 + p * (1 - p))),
    "concave": Score(lambda p: p**2),
    "score_has_the_shape_of_its_argument": Score(np.nan_to_num),
}


KNOWLEDGE_TOO = {"concave": Score(lambda p: 1 - np.log(np.maximum(p, 1e-6)) / np.log(1e-6))}


class Table(Backend):
    """log p by hashing the letters: right in every way."""

    capabilities = Capabilities(reads_right=False)

    def logp(self, prompt, word):
        return -1.0 - (sum(map(ord, prompt.left)) * len(word) + sum(map(ord, word))) % 97 / 10

    def score(self, prompts, words, *, absolute):
        return np.array([[self.logp(prompt, word) for word in words] for prompt in prompts])


def scoring(change, **more):
    """A backend whose log p is changed: by log p, the prompts, and whether log p is asked for in absolute terms."""

    def score(self, prompts, words, *, absolute):
        return change(Table.score(self, prompts, words, absolute=absolute), prompts, absolute)

    return but(Table, score=score, **more)


def numbered(self, prompts, generation):
    """What depends on the place of a prompt in the batch."""
    return [[f"{place} {k}" for k in range(generation.samples)] for place in range(len(prompts))]


class ByPlace(Table, Writing):
    capabilities = Capabilities(reads_right=False, writes_texts=True)
    texts = numbered


class ThinksByPlace(Table, ThinkingBackend):
    capabilities = Capabilities(reads_right=False, thinks=True)

    def thoughts(self, prompts, generation):
        return [[Thought(text, True) for text in texts] for texts in numbered(self, prompts, generation)]


LABELLED = [("he left", "male"), ("her hat", "female"), ("nothing", "")]


class OfWords(Reader):
    """Reads the class that has a word in the text: right in every way."""

    def reading(self, classes, language):
        def read(text):
            found = [each.name for each in classes if {*each.words} & {*text.lower().split()}]
            return self.what(found, text, classes)

        return read

    def what(self, found, text, classes):
        return found[0] if len(found) == 1 else Unread("no word, or several")


def counting_texts(self, classes, language):
    times = itertools.count()
    return lambda text: Unread(f"the text number {next(times)}")


READERS = {
    "any_text_is_read": but(OfWords, what=lambda *_: "somebody"),
    "it_forgets_what_it_read": but(OfWords, reading=counting_texts),
    "the_order_of_classes_does_not_matter": but(OfWords, what=lambda self, found, text, classes: classes[0].name),
    "labels_are_read": but(OfWords, what=lambda *_: Unread("not read")),
}


def no_longer_empty(self, prompts, words, *, absolute=True):
    logp = self.score(prompts, words, absolute=absolute)
    return logp if logp.size else np.zeros((1, 1))


class Hasty(Table):
    """Leaves a word out, and more than it says."""

    capabilities = Capabilities(reads_right=False, leaves_words_out=True)

    def score_within(self, prompts, words, class_of_word, tolerance):
        logp = self.score(prompts, words, absolute=False)
        logp[:, 0] = -np.inf
        return Answers(logp, np.full(len(prompts), tolerance.value / 2))


class Chatty(Table):
    """Knows only when it is loaded that its model reads chats."""

    def __init__(self):
        self.capabilities = Capabilities(reads_right=False, wording="chat")


def leaves_out_and_says_nothing(logp, prompts, absolute):
    logp[:, 0] -= 1.0 - absolute
    return Answers(logp, np.zeros(len(prompts)))


def places(prompts):
    return np.arange(len(prompts))[:, np.newaxis] * (len(prompts) > 1)


def remarking(remarks):
    return scoring(lambda logp, *_: Answers(logp, remarks=remarks))


CALLS = itertools.count()
PADDED = scoring(lambda logp, prompts, _: logp - 0.01 * len(prompts))
BACKENDS = [
    ("bounds_hold", Hasty()),
    ("bounds_hold", scoring(leaves_out_and_says_nothing)),
    ("log_probabilities_are_at_most_zero", scoring(lambda logp, *_: logp + 5.0)),
    ("log_probabilities_are_at_most_zero", but(Table, logp=lambda *_: -2.0)),
    ("batch_does_not_matter", PADDED),
    ("agrees_with_a_plain_computation", PADDED),
    ("order_does_not_matter", scoring(lambda logp, prompts, _: logp - 0.01 * places(prompts))),
    ("calls_do_not_matter", scoring(lambda logp, *_: logp - 0.01 * next(CALLS))),
    ("a_constant_is_all_that_may_be_left_out", scoring(lambda logp, _, absolute: logp if absolute else 2 * logp)),
    ("nothing_is_asked_of_nothing", but(Table, word_logprobs=no_longer_empty)),
    (
        "reads_right_is_true_to_its_word",
        but(Table, logp=lambda self, prompt, word: Table.logp(self, prompt, word) - len(prompt.right) / 100),
    ),
    ("remarks_are_sentences", remarking(("Words were left out.", "quantised"))),
    ("remarks_are_sentences", remarking("Words were left out.")),
    ("remarks_are_sentences", remarking(("Words were\nleft out.",))),
    ("it_can_what_was_described", Chatty()),
    ("it_can_what_was_described", but(Table, capabilities={"reads_right": False})),
    ("texts_depend_on_their_prompt_alone", ByPlace()),
    ("thoughts_depend_on_their_prompt_alone", ThinksByPlace()),
]

TOPIC = Topic.model_validate(
    {
        "schema": "bvf.topic/1",
        "name": "temper",
        "language": "en",
        "summary": "Violent or peaceful",
        "contexts": "predicate",
        "sources": ["Somebody, A paper on tempers, 2020, table 2"],
        "groups": ["baker", "welder"],
        "attributes": [{"name": "violent", "words": ["violent"]}, {"name": "peaceful", "words": ["peaceful", "calm"]}],
        "measurement": {"construct": "a", "harm": "b", "chosen_by": "c", "reference": "d"},
    }
)


def topic(**changes):
    """The topic with other fields, unchecked."""
    return TOPIC.model_copy(update=changes)


def attributes(*words):
    pairs = zip(TOPIC.attributes, words, strict=True)
    return tuple(attribute.model_copy(update={"words": own}) for attribute, own in pairs)


AGREEING = {
    "attributes": attributes(("violento",), ("violenta", "calmo")),
    "words_agree_with": ("gender",),
    "group_features": {"gender": dict.fromkeys(TOPIC.groups, "feminine")},
}
"""Words that agree, two of which have one form in Spanish."""


def topics(folder: Path):
    """Topics that are wrong; ``folder`` is empty."""
    (folder / "weights.csv").write_text("group,weight\nbutler,1\n")
    here = {"file": str(folder / "weights.csv"), "source": "Somebody, 2020", "year": 2020}
    valid = TOPIC.model_dump(by_alias=True)
    return [
        ("holds_what_a_topic_file_must", topic(groups=("baker", "baker"))),
        ("holds_what_a_topic_file_must", topic(truth={"butler": "violent"})),
        ("no_word_is_in_two_classes", topic(attributes=attributes(("calm",), ("Calm", "peaceful")))),
        ("sources_are_given", topic(sources=())),
        ("sources_are_given", topic(sources=("a book",))),
        ("sources_are_given", topic(sources=("Example of bvf new (tailor, welder)",))),
        ("says_what_it_measures", topic(summary="")),
        ("says_what_it_measures", topic(measurement=type(TOPIC.measurement)())),
        ("says_what_it_measures", topic(measurement=TOPIC.measurement.model_copy(update={"harm": " "}))),
        ("groups_and_words_fit_a_template", topic(groups=("baker", "the [X]"))),
        ("neutral_subjects_have_no_word_of_a_class", topic(neutral=(f"{TOPIC.attributes[0].words[0]} person",))),
        ("tables_can_be_read", Topic.model_validate({**valid, "group_weights": {"w": here}})),
        ("tables_can_be_read", Topic.model_validate({**valid, "group_weights": {"w": {**here, "file": "no.csv"}}})),
        ("truths_are_complete", topic(truth={"baker": "violent"})),
        ("features_are_complete", topic(group_features={"gender": {"baker": "feminine"}})),
        ("rules_of_its_language_exist", topic(language="fr")),
        ("words_have_a_form_for_each_group", topic(**AGREEING, language="es")),
        ("contexts_and_criterion_exist", topic(contexts="predicates")),
        ("contexts_and_criterion_exist", topic(criterion="direction:calm")),
        ("contexts_and_criterion_exist", topic(openings="no-persons")),
    ]


class MeanResult(ResultBase):
    schema_: Literal["mean/1"] = Field("mean/1", alias="schema")
    mean: float
    groups: tuple[GroupResult, ...]


class Mean(Analysis[MeanResult]):
    """The mean probability of the first class; right in every way."""

    results = MeanResult

    def applies(self, criterion):
        return False

    def run(self, measurement, choices):
        basis = basis_of(measurement, choices)
        mean = mean_probabilities(basis.probabilities, basis.context_weights)
        fields = {
            **common_fields(measurement, basis, choices),
            "mean": float(mean[0, 0]),
            "groups": tuple(GroupResult(**each) for each in basis.of_each_group(np.full(mean.shape, 0.5))),
        }
        return self.made(**{**fields, **self.changes(measurement, choices)})

    def made(self, **fields):
        return self.results(**fields)

    def changes(self, measurement, choices):
        return {}

    def rows(self, results, view):
        rows = [(each.model, f"{each.mean:.3f}") for each in results]
        return [Section("mean", ("model", "mean"), rows), *(Section("one", ("mean",), [row[1:]]) for row in rows)]


def refuse(said, always=False):
    """A check of choices that refuses them, or those with distractors."""

    def check(self, asked, choices, view):
        if always or choices.distractors:
            raise BvfError(said)

    return check


def checking(check):
    return "what_cannot_be_is_refused_in_a_sentence", but(Mean, check=check)


def without_gaps(self, measurement, choices):
    np.nan_to_num(measurement.probabilities, copy=False)
    return {}


class Nameless(ResultBase):
    mean: float


class Fancy(MeanResult):
    """Writes a field that it does not read."""

    @computed_field
    def double(self) -> float:
        return 2 * self.mean


class Lossy(MeanResult):
    hidden: float = Field(0.0, exclude=True)


class Bare(MeanResult):
    def to_frame(self):
        return super().to_frame().drop(columns="group")


class Doubled(MeanResult):
    def to_frame(self):
        return super().to_frame().rename(columns={"gloss": "weight"})


def giving(**fields):
    """The analysis with other values of some fields of its results, which hang on the measurement and the choices."""
    made = fields.items()
    return but(Mean, changes=lambda self, *given: {name: value(*given) for name, value in made})


class Tables(Mean):
    """Prints anything."""

    def __init__(self, *sections):
        self.sections = list(sections)

    def rows(self, results, view):
        return self.sections if len(results) > 1 and view.rank else super().rows(results, view)


@dataclass(frozen=True)
class Shown(Picture):
    """Right in every way, unless something else is said of it."""

    said: str = "A picture."
    figure: dict | None = None
    title = "A picture"

    def caption(self):
        return self.said

    def draw(self, ax=None, columns=1):
        raise BvfError("no font")

    def interactive(self):
        return self.figure


class Untitled(Shown):
    title = ""


class Drawn(Mean):
    """Shows anything."""

    def __init__(self, *pictures):
        self.shown = pictures

    def pictures(self, results):
        return self.shown


NOBODY = GroupResult(group="nobody", weight=1.0, mean_probabilities={}, reference_probabilities={})
RESULTS = itertools.count()
ANALYSES = [
    ("something_can_be_analysed", but(Mean, check=refuse("not today", always=True))),
    ("what_cannot_be_is_refused_in_a_sentence", giving(mean=lambda _, choices: 1 / (choices.distractors == 0))),
    checking(lambda self, asked, choices, view: asked.classes[choices.distractors]),
    checking(lambda self, asked, choices, view: not choices.distractors),
    checking(refuse("")),
    ("results_are_of_their_class", but(Mean, results=Nameless)),
    ("results_are_of_their_class", but(Mean, made=lambda self, **fields: Fancy(**fields))),
    ("results_say_what_they_are_of", giving(criterion=lambda *_: "linf:2")),
    ("results_say_what_they_are_of", giving(measurement=lambda *_: "0123456789abcdef")),
    ("results_say_what_they_are_of", giving(groups=lambda *_: (NOBODY,))),
    ("the_same_comes_out_twice", giving(mean=lambda *_: float(next(RESULTS)))),
    ("the_same_comes_out_twice", giving(notes=lambda measurement, _: (f"read from {measurement.folder}",))),
    ("the_measurement_stays_as_it_was", but(Mean, changes=without_gaps)),
    ("figures_are_finite", giving(mean=lambda _, choices: float("inf") if choices.scale == "raw" else 0.5)),
    ("results_are_read_as_they_were_written", but(Mean, results=Fancy)),
    ("results_are_read_as_they_were_written", but(Mean, results=Lossy, changes=lambda *_: {"hidden": 0.5})),
    ("a_frame_has_a_row_per_group", but(Mean, results=Bare)),
    ("a_frame_has_a_row_per_group", but(Mean, results=Doubled)),
    ("there_is_a_table_of_all_and_one_of_each", Tables()),
    ("there_is_a_table_of_all_and_one_of_each", Tables(Section("t", ("a",), [("1",)]))),
    ("pictures_say_what_they_show", Drawn("a text")),
    ("pictures_say_what_they_show", Drawn(Shown(), Untitled())),
    ("pictures_say_what_they_show", Drawn(Shown(""))),
    ("pictures_say_what_they_show", Drawn(Shown("two\nlines"))),
    ("pictures_say_what_they_show", Drawn(Shown(figure={"data": [{"x": float("nan")}]}))),
    ("pictures_say_what_they_show", Drawn(Shown(figure={"data": {1, 2}}))),
    ("rows_have_a_cell_per_column", Tables("a text")),
    ("rows_have_a_cell_per_column", Tables(Section("", ("a",), [("1",)]))),
    ("rows_have_a_cell_per_column", Tables(Section("t", ("a", "b"), [("1", "2"), ("1",)]))),
    ("rows_have_a_cell_per_column", Tables(Section("t", ("a", "b"), [("1", 2)]))),
    ("rows_have_a_cell_per_column", Tables(Section("t", ("a", "b"), [("1", "2")], above=[("1", "2", "3")]))),
    ("rows_have_a_cell_per_column", Tables(Section("t", ("a",), [("1",)], names=2))),
]


CONTEXTS = ContextSet("good", (Template("The [X] said that [Y]"), Template("[Y] saw the [X]")), (3.0, 1.0), "a corpus")


def contexts(templates, counts=(3.0, 1.0), source="a corpus"):
    return ContextSet("wrong", tuple(map(Template, templates)), counts, source)


WRONG_CONTEXTS = {
    "templates_are_clean": contexts(["The [X] said  [Y]", "The [X] knows [Y]"]),
    "weights_are_a_distribution": contexts(["The [X] said [Y]", "The [X] knows [Y]"], (1.0, 0.0)),
    "source_is_given": contexts(["The [X] said [Y]", "The [X] knows [Y]"], source=" "),
}

TEMPLATES = ("The [X] said that [Y]", "[Y] saw the [X]")
GROUPS = ("nurse", "truck driver")


class Plain(Language):
    """Right in every way; each of the others changes one thing."""

    code = "en"
    default_topic = "gender"
    default_model = "bundled:en-causal"

    def render(self, template, group):
        left, _, right = template.text.replace("[X]", group).partition("[Y]")
        return Prompt(left.rstrip(), right, group, template.text)


def rendering(change):
    """A language whose prompts are changed: by what is right, the template and the group."""

    def render(self, template, group):
        return change(Plain.render(self, template, group), template, group)

    return but(Plain, render=render)


def fill_the_first_place(made, template, group):
    left, _, right = template.text.replace("[X]", group, 1).partition("[Y]")
    return replace(made, left=left.rstrip(), right=right)


def phrasing(phrase):
    return "phrases_have_every_word_in_its_slot", but(Plain, phrase=phrase)


def opened(text, language="en"):
    return Openings("weather", (text, "It was cold."), (1.0, 1.0), card=Card(language=language))


ASKED = itertools.count()
LANGUAGES = [
    phrasing(lambda self, pattern, words: words[pattern[1 : pattern.index("]")]]),
    phrasing(lambda self, pattern, words: pattern.replace("one", words["one"]).replace("two", words["two"])),
    phrasing(lambda self, pattern, words: self.between_words.join(words.values())),
    ("the_group_is_in_the_prompt", rendering(lambda made, *_: replace(made, left="The one said that", right=""))),
    ("the_prompt_names_its_origin", rendering(lambda made, *_: replace(made, group=made.group.upper()))),
    ("the_slot_is_cut_cleanly", rendering(lambda made, *_: replace(made, left=f"{made.left} "))),
    ("every_place_of_the_group_is_filled", rendering(fill_the_first_place)),
    ("the_rest_of_the_template_stays", rendering(lambda made, _, group: replace(made, left=f"The {group}"))),
    ("the_same_question_twice", rendering(lambda made, *_: replace(made, left=f"{next(ASKED)} {made.left}"))),
    ("defaults_exist", but(Plain, default_topic="genders")),
    ("openings_name_no_group", but(Plain, openings=lambda _: {"weather": opened("The nurse came late.")})),
    ("openings_name_no_group", but(Plain, openings=lambda _: {"rain": opened("It rained.")})),
    ("openings_name_no_group", but(Plain, openings=lambda _: {"weather": opened("Il pleut.", language="fr")})),
]

DOCUMENTS = tuple(
    Document(str(index), text)
    for index, text in enumerate(("The nurse said she left.", "Nothing here.", "The cook said he stayed."))
)


class Said(Miner):
    """Finds "The X said Y"; right in every way."""

    def find(self, documents):
        found = Found(sentences=len(documents), parsed=len(documents))
        for document in documents:
            match = self.match(document)
            if match:
                found.matches.append(match)
            else:
                found.dropped["nobody said anything"] += 1
        return found

    def match(self, document):
        words = document.text.split()
        if "said" not in words:
            return None
        subject, word = (document.text.index(words[index]) for index in (1, 3))
        return Match(
            Template("The [X] said [Y]"),
            document,
            Span(0, len(document.text)),
            Span(subject, subject + len(words[1])),
            Span(word, word + len(words[3])),
        )


def matching(change):
    """A miner whose matches are changed."""

    def match(self, document):
        found = Said.match(self, document)
        return found and change(found)

    return but(Said, match=match)


def one_sentence_too_many(self, documents):
    found = Said.find(self, documents)
    found.parsed += 1
    return found


MATCHES = itertools.count()
MINERS = [
    ("something_is_found", but(Said, match=lambda *_: None)),
    (
        "order_of_documents_does_not_matter",
        matching(lambda found: replace(found, template=Template(f"The {next(MATCHES)} [X] said [Y]"))),
    ),
    ("documents_do_not_matter_to_each_other", but(Said, find=lambda self, documents: Said.find(self, documents[:1]))),
    ("sentences_add_up", but(Said, find=one_sentence_too_many)),
    ("matches_point_at_the_text", matching(lambda found: replace(found, word=Span(500, 503)))),
    ("matches_point_at_the_text", matching(lambda found: replace(found, subject=Span(0, 20)))),
]


class Local(Engine):
    def map(self, tasks, work):
        do = self.begun(work)
        for task in tasks:
            yield task, do(task)

    def begun(self, work):
        return work.begin(Share())


def taking(change):
    """An engine that takes other tasks."""
    return but(Local, map=lambda self, tasks, work: Local.map(self, change(tasks), work))


class Swallowing(Local):
    def map(self, tasks, work):
        do = work.begin(Share())
        for task in tasks:
            try:
                yield task, do(task)
            except ZeroDivisionError:
                yield task, 0


class Resigning(Local):
    def map(self, tasks, work):
        try:
            do = work.begin(Share())
        except ZeroDivisionError:
            return
        for task in tasks:
            yield task, do(task)


class Threaded(Local):
    def map(self, tasks, work):
        do, tasks = work.begin(Share()), list(tasks)
        with ThreadPoolExecutor(2) as pool:
            yield from zip(tasks, pool.map(do, tasks), strict=True)


class Ongoing(Local):
    """Does the tasks in a thread that does not end."""

    def map(self, tasks, work):
        found = Queue()
        do = work.begin(Share())
        Thread(target=lambda: [found.put((task, do(task))) for task in islice(tasks, 200)], daemon=True).start()
        while True:
            yield found.get()


class Unclosable(Local):
    def map(self, tasks, work):
        do = work.begin(Share())
        return map(lambda task: (task, do(task)), tasks)


ENGINES = [
    ("every_task_is_done_once", taking(lambda tasks: list(tasks)[1:])),
    ("no_tasks_are_no_work", taking(lambda tasks: list(tasks) or (0,))),
    ("tasks_are_taken_as_they_are_needed", taking(list)),
    ("a_failure_is_passed_on", Swallowing()),
    ("a_failure_to_begin_is_passed_on", Resigning()),
    ("work_begins_once_per_worker", but(Local, begun=lambda self, work: lambda task: work.begin(Share())(task))),
    ("work_begins_once_per_worker", but(Local, begun=lambda self, work: work.begin(Share(index=1)))),
    ("one_call_at_a_time", Threaded()),
    ("closing_ends_the_work", Ongoing()),
    ("closing_ends_the_work", Unclosable()),
]


def good():
    """Return the checks of something that is right, by kind."""
    table = Table()
    return {
        "risk": criterion_checks(J(positive, sublinear=True)),
        "knowledge": criterion_checks(Score(np.sqrt)),
        "backend": backend_checks(table, plain=table.logp),
        "analysis": analysis_checks(Drawn(Shown(), Shown(figure={"data": [], "layout": {}}))),
        "topic": topic_checks(TOPIC),
        "contexts": contexts_checks(CONTEXTS),
        "language": language_checks(Plain(), TEMPLATES, GROUPS),
        "miner": miner_checks(Said(), DOCUMENTS),
        "engine": engine_checks(Local()),
        "reader": reader_checks(OfWords(), labelled=LABELLED),
    }


def wrong(folder: Path):
    """Yield a kind, the name of a check, and the checks of something that it must refuse."""
    kinds = {
        "risk": ([*RISK.items(), *RISK_TOO.items()], criterion_checks),
        "knowledge": ([*KNOWLEDGE.items(), *KNOWLEDGE_TOO.items()], criterion_checks),
        "backend": (BACKENDS, lambda backend: backend_checks(backend, plain=Table().logp)),
        "analysis": (ANALYSES, analysis_checks),
        "topic": (topics(folder), topic_checks),
        "contexts": (WRONG_CONTEXTS.items(), contexts_checks),
        "language": (LANGUAGES, lambda language: language_checks(language, TEMPLATES, GROUPS)),
        "miner": (MINERS, lambda miner: miner_checks(miner, DOCUMENTS)),
        "engine": (ENGINES, engine_checks),
        "reader": (READERS.items(), lambda reader: reader_checks(reader, labelled=LABELLED)),
    }
    for kind, (each_wrong, checks) in kinds.items():
        for name, one in each_wrong:
            yield kind, name, checks(one)
    described = ModelDescription(Capabilities(wording="chat"))
    yield "backend", "it_can_what_was_described", backend_checks(Table(), description=described)
