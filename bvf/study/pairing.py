"""Makes measurements comparable by restricting them to common groups and contexts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from bvf.domain.asked import Asked, AskedTemplate, Draws
from bvf.domain.context import properties_in
from bvf.domain.measurement import WORDINGS, Measurement
from bvf.domain.topic import Group
from bvf.domain.variants.formats import FORMAT
from bvf.domain.variants.placebo import ORIGIN
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.measuring.kind import as_read
from bvf.stats.sampling.samples import ContextSample
from bvf.study.analysis import Analysis
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig
from bvf.study.differences import noted_differences
from bvf.study.margin import counted
from bvf.study.reference import first_of
from bvf.study.sample import sample_of, why_no_sample
from bvf.study.study import Study

WORDING = "wording"
"""The value of ``--by`` that compares wordings of one model: ``bvf compare bare chat --by wording``."""
OF_ONE_MODEL = f"bvf compare --by {WORDING} compares wordings of one model"
ASKED_ALIKE = "only runs that were asked alike can be compared"


@dataclass(frozen=True)
class LeftOut:
    """Numbers of groups and contexts not measured for all models, and of common prompts missing for some."""

    groups: int
    contexts: int
    prompts: int


@dataclass(frozen=True)
class Pairing:
    """Models restricted to their common groups and contexts, ready to be compared.

    Args:
        models: A study per measurement, in the same order; a prompt that is missing in one is missing in all.
        analysis: The analysis that computes the compared figures.
        choices: The choices with which all models are analysed.
        sample: The common contexts as a sample of their source; None: they are not a sample.
        undefined: Why they are not a sample, so that differences have no interval; empty: they are a sample.
        left_out: Numbers of groups, contexts and prompts that are left out of the comparison.
        notes: Sentences on what was left out, what makes figures doubtful, and harmless differences.
    """

    models: tuple[Study, ...]
    analysis: Analysis[Any]
    choices: Choices
    sample: ContextSample | None
    undefined: str
    left_out: LeftOut
    notes: tuple[str, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups X for which models are compared."""
        return self.models[0].predictions.groups


def paired(
    measurements: Sequence[Measurement],
    config: AnalysisConfig,
    plugins: Plugins,
    preferred: Sequence[str] = (),
    by: str = "",
) -> Pairing:
    """Restrict measurements of one topic to their common groups and contexts.

    A prompt that is missing in one becomes missing in all. If only some words are analysed, each measurement must have
    stored word log-probabilities. If ``config`` names no criterion, one that the ``preferred`` plugins offer is used.
    With ``by`` `WORDING` the measurements are of one model, and may differ in the prompt wording; else all have the
    same wording.

    Raises:
        BvfError: The measurements are not comparable; the message names what differs and where.
    """
    if len(measurements) < 2:
        raise BvfError("one run alone cannot be compared", "name two folders of runs or more")
    refuse_equal_digests((each.run_name, f"{each.record.digest} {each.format}") for each in measurements)
    _refuse_what_differs(measurements, by)
    shared, left_out = _shared(measurements)
    of_texts = next((each for each in shared if each.record.asked.generation), shared[0])
    analysis, choices = prepared(config, of_texts.record.asked, plugins, preferred=preferred)
    shared = [as_read(each, choices.reader, choices.words) for each in shared]
    shared = _with_words_and_gaps(shared, choices)
    _refuse_other_words(shared)
    _refuse_other_longer_words(shared)
    with_documents = next((each for each in shared if each.replicates is not None), shared[0])
    sample, undefined = sample_of(with_documents, choices), why_no_sample(with_documents, choices)
    studies = [Study.of(each, choices) for each in shared]
    for each in studies:
        if each.holds_noise:
            raise BvfError(
                f"{each.measurement.run_name} has probabilities from sampled answers, and by "
                f"{each.choices.criterion_name} their noise cannot be taken out of a difference",
                "choose a sublinear criterion of risk: linf, lk:k, direction:class or tv",
            )
    models = tuple(replace(each, predictions=replace(each.predictions, sample=sample)) for each in studies)
    missing = int(np.isnan(models[0].predictions.probabilities).any(axis=2).sum())
    left_out = replace(left_out, prompts=missing)
    return Pairing(models, analysis, choices, sample, undefined, left_out, noted_differences(measurements, models))


def refuse_equal_digests(measurements: Iterable[tuple[str, str]]) -> None:
    """Raise `BvfError` if two measurements are the same one. Each is given by its name and its digest."""
    seen: dict[str, str] = {}
    for name, digest in measurements:
        if digest in seen:
            raise BvfError(
                f"{seen[digest]} and {name} are the same measurement: a run compared with itself", "name every run once"
            )
        seen[digest] = name


def _refuse_what_differs(measurements: Sequence[Measurement], by: str) -> None:
    same: dict[str, Callable[[Measurement], Any]] = {
        "topic": lambda each: each.record.asked.topic,
        "language": lambda each: each.record.asked.language,
        **({} if by == WORDING else {WORDING: lambda each: WORDINGS[each.record.model.wording]}),
        "word boundary": lambda each: "counted" if each.record.model.word_boundary else "not counted",
    }
    for first, second in pairwise(measurements):
        one_model = _weights_of(first) == _weights_of(second)
        if by == WORDING and not one_model:
            raise BvfError(f"{first.run_name} and {second.run_name} are of two models", OF_ONE_MODEL)
        for what, of in same.items():
            if of(first) != of(second):
                message = f"{first.run_name} has the {what} {of(first)}, and {second.run_name} {of(second)}"
                hint = OF_ONE_MODEL if what == WORDING and one_model else ASKED_ALIKE
                hint = f"{hint}; two languages: --by language" if what == "language" else hint
                raise BvfError(message, hint)


def _weights_of(measurement: Measurement) -> str:
    """A text that is equal for measurements of one model: its ``weights`` if recorded, else path or name."""
    model = measurement.record.model
    return model.weights or model.path or model.name


def _refuse_other_words(measurements: Sequence[Measurement]) -> None:
    first = measurements[0]
    for each in measurements[1:]:
        ours, theirs = ({a.name: set(a.words) for a in m.record.asked.attributes} for m in (first, each))
        if list(ours) != list(theirs):
            raise BvfError(
                f"{first.run_name} has the classes {', '.join(ours)}, and {each.run_name} {', '.join(theirs)}",
                "only runs with the same classes can be compared",
            )
        for name, words in ours.items():
            if words != theirs[name]:
                others, both = first_of(sorted(words ^ theirs[name])), ",".join(sorted(words & theirs[name]))
                raise BvfError(
                    f"{first.run_name} and {each.run_name} have other words for {name}: {others}",
                    f"count those that both asked for: bvf compare --words '{name}={both}'",
                )


def _refuse_other_longer_words(measurements: Sequence[Measurement]) -> None:
    """Raise `BvfError` where p of a word has longer words in it, 他们 in 他, and in another run has not."""
    words = tuple(word for each in measurements[0].record.asked.attributes for word in each.words)
    left_out = [
        (each, {longer for longer in each.record.model.longer_words if longer.startswith(words)})
        for each in measurements
        if each.record.model.longer_words is not None
    ]
    for (first, ours), (second, theirs) in pairwise(left_out):
        if ours != theirs:
            counts, without = (first, second) if theirs - ours else (second, first)
            raise BvfError(
                f"{counts.run_name} counts texts that go on to {first_of(sorted(ours ^ theirs))} for the shorter "
                f"words, and {without.run_name} leaves them out",
                "earlier versions of bvf counted them: measure that run again",
            )


def _shared(measurements: Sequence[Measurement]) -> tuple[list[Measurement], LeftOut]:
    """The measurements restricted to common groups and contexts, and the numbers left out.

    The order is that of the first.
    """
    drawn = _common_draws(measurements)
    asked = [each.record.asked if drawn is None else each.record.asked.with_draws(drawn) for each in measurements]
    groups = _in_all([each.group_names for each in asked])
    contexts = _in_all(list(map(_keys, measurements, asked)))
    for what, shared in (("groups", groups), ("contexts", contexts)):
        if not shared:
            raise BvfError(f"{' and '.join(each.run_name for each in measurements)} have no {what} in common")
    _refuse_other_counts(measurements, asked, contexts)
    left_out = LeftOut(
        groups=len(set().union(*(each.group_names for each in asked))) - len(groups),
        contexts=len(set().union(*(_keys(each, each.record.asked) for each in measurements))) - len(contexts),
        prompts=0,
    )
    both = zip(measurements, asked, strict=True)
    return [_only(each, its_asked, groups, contexts) for each, its_asked in both], left_out


def _common_draws(measurements: Sequence[Measurement]) -> Draws | None:
    """The shortest sequence of drawn contexts, a prefix of all others; None if contexts were not drawn."""
    first, population = measurements[0], _population(measurements[0])
    for each in measurements[1:]:
        ours, theirs = first.record.asked.draws, each.record.asked.draws
        if (ours is None) != (theirs is None):
            whole, drawn = (first, each) if ours is None else (each, first)
            raise BvfError(
                f"{drawn.run_name} was asked in contexts that were drawn, and {whole.run_name} in all of a set",
                "run both with the same --sample-contexts",
            )
        if ours is not None and theirs is not None and ours.seed != theirs.seed:
            raise BvfError(
                f"{first.run_name} drew contexts by the seed {ours.seed}, and {each.run_name} by {theirs.seed}",
                "run both with the same --seed, so that they are asked in the same contexts",
            )
        if ours is not None and population != _population(each):
            raise BvfError(
                f"{first.run_name} drew contexts from other templates or openings than {each.run_name}",
                "draw from one set that both models can read, with the same --openings: a causal model leaves out "
                "templates with the group right of the slot",
            )
    draws = [each.record.asked.draws for each in measurements]
    return min((each for each in draws if each is not None), key=lambda each: each.number, default=None)


def _population(measurement: Measurement) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    asked = measurement.record.asked
    openings = [] if asked.openings is None else list(zip(asked.openings.texts, asked.openings.counts, strict=True))
    templates = [(each.context.key, each.count) for each in asked.templates]
    return templates if asked.large is None else [(asked.large.digest, asked.large.total)], openings


def _keys(measurement: Measurement, asked: Asked) -> list[str]:
    return [_context_key(measurement, each) for each in asked.in_order]


def _in_all(names: Sequence[Sequence[str]]) -> list[str]:
    common = set(names[0]).intersection(*names[1:])
    return [name for name in names[0] if name in common]


def _refuse_other_counts(measurements: Sequence[Measurement], asked: Sequence[Asked], contexts: Sequence[str]) -> None:
    counts = [
        {_context_key(measurement, each): each.count for each in its_asked.in_order}
        for measurement, its_asked in zip(measurements, asked, strict=True)
    ]
    for measurement, of_context in zip(measurements, counts, strict=True):
        for key in contexts:
            if of_context[key] != counts[0][key]:
                raise BvfError(
                    f'"{key}" has the count {counts[0][key]:g} in {measurements[0].run_name}, and '
                    f"{of_context[key]:g} in {measurement.run_name}",
                    "run both with the same --contexts",
                )


def _only(measurement: Measurement, asked: Asked, groups: Sequence[str], contexts: Sequence[str]) -> Measurement:
    """A measurement restricted to the given groups and contexts, in this order."""
    column_of = {key: c for c, key in enumerate(_keys(measurement, measurement.record.asked))}
    rows, columns = [asked.row_of[name] for name in groups], [column_of[key] for key in contexts]
    fewer = {"groups": tuple(asked.groups[x] for x in rows)}
    if asked.draws is None:
        asked = asked.model_copy(update={"templates": tuple(asked.templates[c] for c in columns)})
    return measurement.at(asked.model_copy(update=fewer), rows, columns)


def _with_words_and_gaps(measurements: Sequence[Measurement], choices: Choices) -> list[Measurement]:
    """The measurements restricted to the chosen words. A prompt that is missing in one becomes missing in all."""
    parts = [counted(each.record.asked, each, choices.words) for each in measurements]
    missing = np.zeros((*parts[0][1].shape[:2], 1), dtype=bool)
    for _, p, _ in parts:
        missing |= np.isnan(p).any(axis=2, keepdims=True)
    return [
        replace(
            each,
            record=each.record.model_copy(update={"asked": asked}),
            probabilities=np.where(missing, np.nan, p) if missing.any() else p,
            bounds=bounds,
            word_logprobs=each.word_logprobs if asked is each.record.asked else None,
            answers=each.answers.of_words(each.word_logprobs, np.isin(each.record.asked.words, asked.words)).without(
                missing
            ),
        )
        for each, (asked, p, bounds) in zip(measurements, parts, strict=True)
    ]


def in_formats(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Return a measurement per run and format, in the order in which each run has its formats.

    Raises:
        BvfError: The contexts of a run are not in formats, were drawn from all formats together, or differ in nothing.
    """
    return [part for each in measurements for part in _parts(each)]


def _context_key(measurement: Measurement, context: AskedTemplate) -> str:
    """What identifies a context of a measurement: in a part of a run in formats, all but the format."""
    if not measurement.format:
        return context.context.key
    others = {**properties_in(context.columns), FORMAT: ""}
    return " ".join([others.pop(ORIGIN), *(f"({name}: {level})" for name, level in others.items() if level)])


def _parts(measurement: Measurement) -> Iterator[Measurement]:
    asked, name = measurement.record.asked, str(measurement.folder or measurement.record.model.name)
    if not all(each.columns.get(FORMAT) and ORIGIN in each.columns for each in asked.templates):
        message = f"{name}: its contexts are not in formats"
        raise BvfError(message, "bvf run --formats bare,user asks each template in several")
    if asked.draws is not None:
        message = f"{name}: contexts were drawn from all formats together, so not each template is in every one"
        raise BvfError(message, "bvf run --formats draws templates, and asks each in every format")
    for level in dict.fromkeys(each.columns[FORMAT] for each in asked.templates):
        part = _part(measurement, level)
        (key, times), *_ = Counter(_context_key(part, each) for each in part.record.asked.templates).most_common(1)
        if times > 1:
            message = f'{name}: "{key}" stands {times} times in the format {level}'
            raise BvfError(message, f"give these contexts different values of {ORIGIN} or of another column")
        yield part


def _part(measurement: Measurement, level: str) -> Measurement:
    asked = measurement.record.asked
    kept = [c for c, each in enumerate(asked.templates) if each.columns[FORMAT] == level]
    of_format = asked.model_copy(update={"templates": tuple(asked.templates[c] for c in kept)})
    return replace(measurement.at(of_format, range(len(asked.groups)), kept), format=level)
