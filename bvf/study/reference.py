"""The reference p* (unbiased model): by name, from a table, or from the model's predictions for neutral subjects."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import join, quote
from typing import Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.asked import Asked
from bvf.domain.measurement import PRIOR_FOLDER, RECORD, Measurement, MeasurementRecord
from bvf.errors import BvfError, nearest
from bvf.files.folder import run_at
from bvf.files.parsing import is_file
from bvf.files.table_files import read_reference_in_contexts
from bvf.interfaces.texts import NamedReader
from bvf.measuring.folder import RunFolder, read_record
from bvf.measuring.kind import as_read
from bvf.stats.sampling.sampled_answers import corrected, on_simplex
from bvf.study.margin import counted

UNIFORM, MEAN, PRIOR = "uniform", "mean", "prior"
"""Values of ``--reference`` that do not name a table."""
OWN = (MEAN, PRIOR)
"""References computed from the model's own answers."""
NAMES_SHOWN = 6

InContexts = Mapping[str, Mapping[str, FloatArray]]
"""p*(y | x, c) by group and template: arrays of shape (Y,)."""
OF_SUBJECTS = ("groups", "prompts")
"""Parts of a measurement's identity that may differ between the run with groups and that with neutral subjects."""


@dataclass(frozen=True)
class Reference:
    """The reference p* that the option ``--reference`` names.

    Args:
        of_group: p*(y | x) by group, shape (Y,) each, averaged over contexts if it depends on them; None: p* is to be
            computed from the model's own predictions.
        in_contexts: p*(y | x, c) by group, then by template; empty if p* is the same in all contexts.
        notes: Sentences on groups and contexts of the table that the measurement does not have.
    """

    of_group: Mapping[str, FloatArray] | None
    in_contexts: InContexts = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def chosen_reference(choice: str, asked: Asked, stored: Any = None, groups: Sequence[str] = ()) -> Reference:
    """Return the reference p* for a value of the option ``--reference``.

    If it is the choice of a ``stored`` result, p* of ``groups`` (empty: of its own) is that of the result.

    Raises:
        BvfError: There is no such table, it is malformed, or it lacks a context of the measurement.
    """
    classes = asked.classes
    if choice == UNIFORM:
        return Reference({group: np.full(len(classes), 1.0 / len(classes)) for group in asked.group_names})
    if choice in OWN:
        return Reference(None)
    if choice in asked.references:
        rows = asked.references[choice].probabilities
        return Reference({group: np.array([p[name] for name in classes]) for group, p in rows.items()})
    if stored is not None:
        if stored.reference_in_contexts or stored.margin:
            raise not_opened(stored, "--reference", choice)
        p_star = {name: of.reference_probabilities for name, of in stored_groups(stored, groups, choice).items()}
        return Reference({group: np.array([of[name] for name in classes]) for group, of in p_star.items()})
    read = read_reference_in_contexts(named_file(choice, "--reference", asked.references), classes)
    notes = no_groups(choice, read, asked)
    if "" in next(iter(read.values())):
        return Reference({group: rows[""] for group, rows in read.items()}, notes=notes)
    refuse_missing_contexts(read, asked, choice)
    if all(np.ptp(list(rows.values()), axis=0).max() == 0.0 for rows in read.values()):
        return Reference({group: next(iter(rows.values())) for group, rows in read.items()}, notes=notes)
    of_group = {group: _mean(rows, asked) for group, rows in read.items()}
    return Reference(of_group, read, (*notes, *_no_contexts(choice, read, asked)))


def refuse_missing_contexts(in_contexts: InContexts, asked: Asked, choice: str) -> None:
    """Raise `BvfError` if a table with rows for a measured group lacks one of the contexts."""
    for group in asked.group_names:
        for each in asked.in_order:
            if group in in_contexts and each.template not in in_contexts[group]:
                raise BvfError(
                    f'--reference {choice}: the group "{group}" has no row for the context "{each.template}"',
                    nearest(each.template, list(in_contexts[group])),
                )


def rows_in_contexts(in_contexts: InContexts, groups: Sequence[str], asked: Asked) -> FloatArray:
    """Return p*(y | x, c) for the measured contexts, shape (X, C, Y). NaN where the table has no entry."""
    rows = [in_contexts.get(group, {}) for group in groups]
    unknown = np.full_like(next(iter(next(iter(in_contexts.values())).values())), np.nan)
    return np.array([[of_group.get(each.template, unknown) for each in asked.in_order] for of_group in rows])


def named_file(choice: str, option: str, tables: Iterable[str]) -> Path:
    """Return an option's value ``choice`` as the path of a file. ``tables`` are names that the error suggests.

    Raises:
        BvfError: There is no such file; the message suggests the table with the most similar name.
    """
    if is_file(Path(choice)):
        return Path(choice)
    raise BvfError(
        f'{option} "{choice}" is neither a file nor a table of the topic', nearest(choice, [UNIFORM, *tables])
    )


def stored_groups(stored: Any, groups: Sequence[str], choice: str, option: str = "--reference") -> dict[str, Any]:
    """Return the groups of a stored result by name. Raises `BvfError` if it lacks some of ``groups``."""
    found = {group.group: group for group in stored.groups}
    if not found.keys() >= set(groups):
        raise not_opened(stored, option, choice)
    return found


def not_opened(result: Any, option: str, file: str) -> BvfError:
    """Return the error for a file that only a stored result names, and that would be needed."""
    where = result.folder or result.model
    return BvfError(f"{where}: no file is opened that only a result names; name it yourself: {option} {quote(file)}")


def no_groups(choice: str, named: Iterable[str], asked: Asked) -> tuple[str, ...]:
    """Return a note on names in a user's file that are not groups of the topic; empty if there are none."""
    others = [name for name in named if name not in asked.row_of]
    names, no_groups = ("name", "is not a group") if len(others) == 1 else ("names", "are not groups")
    return (f"{len(others)} {names} of {choice} {no_groups} of {asked.topic}: {first_of(others)}",) if others else ()


def first_of(names: Sequence[str]) -> str:
    """Return the first few names as text, followed by ``...`` if there are more."""
    return ", ".join(names[:NAMES_SHOWN]) + (", ..." if len(names) > NAMES_SHOWN else "")


def _mean(rows: Mapping[str, FloatArray], asked: Asked) -> FloatArray:
    """The mean of p*(y | x, c) over the measured contexts by P(C), (Y,). ``rows`` are the rows of one group."""
    known = np.array([rows.get(each.template, np.zeros(len(asked.classes))) for each in asked.in_order])
    mean: FloatArray = asked.context_weights @ known
    return mean / mean.sum() if mean.any() else next(iter(rows.values()))


def _no_contexts(choice: str, read: InContexts, asked: Asked) -> tuple[str, ...]:
    """A note on contexts in a file that the measurement lacks; empty if it has all of them."""
    measured = {each.template for each in asked.templates}
    others = list(dict.fromkeys(context for rows in read.values() for context in rows if context not in measured))
    contexts_are = "1 context is" if len(others) == 1 else f"{len(others)} contexts are"
    return (f"{contexts_are} in {choice} and not in the measurement: {first_of(others)}",) if others else ()


@dataclass(frozen=True, eq=False)
class NeutralAnswers:
    """What a model says of neutral subjects n, in the contexts of a measurement.

    Args:
        subjects: Their names.
        each: p(y | n, c) without bias, shape (N, C, Y): it may be below 0 or above 1 where errors of reading are
            corrected. NaN where it is missing.
        bounds: Error bounds of these, shape (N, C).
    """

    subjects: tuple[str, ...]
    each: FloatArray
    bounds: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The mean over subjects in each context, shape (C, Y); NaN where all are missing."""
        known = ~np.isnan(self.each).any(axis=2, keepdims=True)
        with np.errstate(invalid="ignore"):
            mean: FloatArray = np.where(known, self.each, 0.0).sum(axis=0) / known.sum(axis=0)
        return mean


def were_asked(measurement: Measurement) -> bool:
    """Whether a measurement has answers for neutral subjects, or some of them."""
    folder = measurement.folder
    return folder is not None and run_at(folder).sub(PRIOR_FOLDER).exists(RECORD)


def neutral_answers(
    measurement: Measurement, words: Mapping[str, tuple[str, ...]], reader: NamedReader | None
) -> NeutralAnswers:
    """Return the answers for neutral subjects, in the contexts of a measurement.

    ``words`` are the words of each class that are analysed; classes without an entry keep all words. ``reader`` reads
    generated texts; None: there are none.

    Raises:
        BvfError: Neutral subjects were not measured, not in all contexts, or with another model or settings.
    """
    record, folder = measurement.record, measurement.prior
    if measurement.folder is None or not were_asked(measurement):
        raise BvfError("--reference prior: neutral subjects were not asked", _command(record, folder))
    run = run_at(measurement.folder).sub(PRIOR_FOLDER)
    of_subjects = read_record(run)
    there, here = ({**each.identity, **dict.fromkeys(OF_SUBJECTS, "")} for each in (of_subjects, record))
    if there != here:
        apart = ", ".join(sorted(name for name in there | here if there.get(name) != here.get(name)))
        raise BvfError(f"{folder} is of another measurement: other {apart}", "delete it, and measure it again")
    prior = as_read(RunFolder(run).measurement(of_subjects, words=bool(words)), reader, words)
    asked, p, bounds = counted(prior.record.asked, prior, words)
    column = {each.context.key: c for c, each in enumerate(asked.in_order)}
    contexts = [each.context.key for each in record.asked.in_order]
    missing = [context for context in contexts if context not in column]
    if missing:
        raise BvfError(f'{folder}: neutral subjects were not asked in "{missing[0]}"', _command(record, folder))
    columns = [column[context] for context in contexts]
    if prior.answers.summary and (error := prior.answers.summary.error):
        p = corrected(p, np.array(error.rates))
    return NeutralAnswers(asked.group_names, p[:, columns], bounds[:, columns])


def prior_of(measurement: Measurement, words: Mapping[str, tuple[str, ...]], reader: NamedReader | None) -> FloatArray:
    """Return p*(y | c), the mean prediction for neutral subjects, in the contexts of a measurement, (C, Y).

    Raises:
        BvfError: As `neutral_answers`; or in some context the mean is missing or gives a class the probability 0.
    """
    mean = neutral_answers(measurement, words, reader).mean
    p_star = on_simplex(mean) if (mean < 0.0).any() else mean
    contexts = [each.context.key for each in measurement.record.asked.in_order]
    _refuse_no_answer(p_star, contexts, measurement.record.asked.classes)
    return p_star


def _refuse_no_answer(p_star: FloatArray, contexts: list[str], classes: tuple[str, ...]) -> None:
    for context, p in zip(contexts, p_star, strict=True):
        if not (p > 0.0).all():
            of = f"the class {classes[int(np.argmin(p))]}" if not np.isnan(p).any() else "every class"
            raise BvfError(
                f'--reference prior: in "{context}" neutral subjects give {of} the probability 0',
                "p* is above 0 for every class: choose another reference",
            )


def _command(record: MeasurementRecord, folder: Path | None) -> str:
    asked, out = record.asked, None if folder is None else folder.parent
    command = command_for_neutral(asked.topic, asked.language, record.model.path or record.model.name, out)
    return f"{command}, with the other options of that run, asks them and nothing else"


def command_for_neutral(topic: str, language: str, model: str, folder: Path | None) -> str:
    """Return the command that asks neutral subjects in the contexts of a finished run."""
    out = [] if folder is None else ["--out", str(folder)]
    return join(["bvf", "run", "--topic", topic, "--lang", language, "--model", model, *out])
