"""Checks of analyses, whatever they compute."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from bvf import Analysis, BvfError, Measurement, Picture, ResultBase, Section, View, load
from bvf.errors import error_text
from bvf.interfaces import RANKS
from bvf_testing.check import Check, checks_of, require
from bvf_testing.measurements import ARRAYS, Criteria, Trial, described, small_measurement

CRITERIA = ("linf", "knowledge:sqrt", "impact", "cues")
VIEWS = tuple(View(rank, show, show) for rank, show in product((None, *RANKS), (0, 1, 8)))


def analysis_checks(
    analysis: Analysis[Any], measurement: Measurement | None = None, criteria: Criteria | None = None
) -> list[Check]:
    """Return the checks of an analysis.

    It analyses something, and refuses the rest in a sentence; a result is of its class, names its origin, is the same
    the second time and after it was written and read, has finite figures, and a data frame with a row per group; the
    measurement is not changed; there is a table of all results and one of each, whose rows have a cell per column;
    pictures have captions. All is tried with every choice that a user has: scale, uniform p*, p* from a table and from
    the model, weights, words, distractors.

    Args:
        analysis: The analysis to check, as its provider makes it.
        measurement: A measurement to try it on, which has log p-hat of words; default: `small_measurement`.
        criteria: Criteria by name to try; name others if it takes none of linf, knowledge:sqrt, impact and cues.
    """
    tried = small_measurement() if measurement is None else measurement
    of_bvf = load().criteria
    by_name = {name: of_bvf.make(name) for name in CRITERIA} if criteria is None else criteria
    return checks_of(ANALYSIS_CHECKS, Trial(analysis, tried, by_name))


def something_can_be_analysed(trial: Trial) -> None:
    """The analysis returns a result for at least one of the tried choices."""
    require(trial.accepted, f"it has no result, whatever is chosen; first it says: {[*trial.refusals, ''][0]}")


def what_cannot_be_is_refused_in_a_sentence(trial: Trial) -> None:
    """``check`` and ``run`` raise no other error than `bvf.BvfError`, with a message, and ``check`` returns nothing."""
    for choices in trial.choices:
        for view in VIEWS:
            _refuses_well("check", partial(trial.analysis.check, trial.asked, choices, view), described(choices))
        _refuses_well("run", partial(trial.run, choices), described(choices))


def results_are_of_their_class(trial: Trial) -> None:
    """Each result is an instance of the analysis's ``results``, a `bvf.ResultBase` that has its own ``schema``."""
    results = trial.analysis.results
    require(issubclass(results, ResultBase), f"results is {results.__name__}, which is not a bvf.ResultBase")
    field = results.model_fields.get("schema_")
    require(
        field is not None and isinstance(field.default, str) and field.alias == "schema",
        f"{results.__name__} has no schema, by which a file of it is known; write "
        'schema_: Literal["name/1"] = Field("name/1", alias="schema")',
    )
    for each in trial.accepted:
        require(type(each.result) is results, f"run gave a {type(each.result).__name__}, not a {results.__name__}")


def results_say_what_they_are_of(trial: Trial) -> None:
    """Results name the model, topic and contexts of the measurement, the choices, and only groups that it has."""
    record, asked = trial.measurement.record, trial.asked
    for each in trial.accepted:
        expected = {
            "measurement": record.digest,
            "model": record.model.name,
            "backend": record.model.backend,
            "topic": asked.topic,
            "language": asked.language,
            "contexts": asked.contexts,
            "criterion": each.choices.criterion_name,
            "reference": each.choices.reference,
            "group_weights": each.choices.group_weights,
        }
        for name, value in expected.items():
            given = getattr(each.result, name)
            require(given == value, f'the result says {name} "{given}", not "{value}"{described(each.choices)}')
        strange = [group.group for group in each.result.groups if group.group not in asked.group_names]
        require(not strange, f"the result has groups that were not asked: {', '.join(strange)}")


def the_same_comes_out_twice(trial: Trial) -> None:
    """The same probabilities and choices give the same bytes, wherever the measurement is stored."""
    elsewhere = replace(trial, measurement=replace(trial.measurement, folder=Path("another", "folder")))
    for each in trial.accepted:
        require(
            _written(elsewhere.run(each.choices)) == _written(each.result),
            f"the second time the result is another{described(each.choices)}: leave times and paths out of it, and "
            "draw by choices.seed",
        )


def the_measurement_stays_as_it_was(trial: Trial) -> None:
    """``run`` does not change the measurement: other analyses must get the same probabilities."""
    copy = trial.copied()
    for each in trial.accepted:
        trial.run(each.choices, copy)
    for name in ARRAYS:
        now, before = getattr(copy, name), getattr(trial.measurement, name)
        same = before is None or np.array_equal(now, before, equal_nan=True)
        require(same, f"run changes the {name} of the measurement: compute in a new array")


def figures_are_finite(trial: Trial) -> None:
    """No figure is infinite or NaN: JSON has neither."""
    for each in trial.accepted:
        for where, figure in _figures(each.result, ""):
            message = f"{where} is {figure}{described(each.choices)}: say None where a figure is undefined"
            require(math.isfinite(figure), message)


def results_are_read_as_they_were_written(trial: Trial) -> None:
    """``analysis.results.model_validate_json`` gives an equal result."""
    for each in trial.accepted:
        written = _written(each.result)
        try:
            again = trial.analysis.results.model_validate_json(written)
        except ValueError as error:
            raise AssertionError(
                f"what it writes cannot be read{described(each.choices)}: {error_text(error)}"
            ) from error
        require(
            again == each.result and _written(again) == written,
            f"the result is another one after it was written and read{described(each.choices)}: give its fields types "
            "that JSON has, and leave none of them out",
        )


def a_frame_has_a_row_per_group(trial: Trial) -> None:
    """``to_frame`` has every group of the result once, under its name, and no column twice."""
    for each in trial.accepted:
        frame = each.result.to_frame()
        require(frame.columns.is_unique, f"to_frame has a column twice: {', '.join(map(str, frame.columns))}")
        groups, named = list(frame.get("group", ())), [group.group for group in each.result.groups]
        require(groups == named, f"to_frame has the groups {groups}, not {named}")


def there_is_a_table_of_all_and_one_of_each(trial: Trial) -> None:
    """``rows`` returns one table more than it gets results, in every view."""
    for results, sections in _shown(trial):
        require(
            len(sections) == 1 + len(results),
            f"rows gave {len(sections)} tables of {len(results)} results: one of all and one per result are printed",
        )


def rows_have_a_cell_per_column(trial: Trial) -> None:
    """Tables of one result and of several, in every view, have a title, columns, and rows with a text per column."""
    for _, sections in _shown(trial):
        for section in sections:
            _check_section(section)


def pictures_say_what_they_show(trial: Trial) -> None:
    """``pictures`` returns pictures with a title and a caption of one line, and plotly figures that are valid JSON."""
    for each in trial.accepted:
        try:
            pictures = trial.analysis.pictures([each.result])
        except BvfError:  # says why there is nothing to draw
            continue
        for picture in pictures:
            _check_picture(picture)


ANALYSIS_CHECKS = (
    something_can_be_analysed,
    what_cannot_be_is_refused_in_a_sentence,
    results_are_of_their_class,
    results_say_what_they_are_of,
    the_same_comes_out_twice,
    the_measurement_stays_as_it_was,
    figures_are_finite,
    results_are_read_as_they_were_written,
    a_frame_has_a_row_per_group,
    there_is_a_table_of_all_and_one_of_each,
    rows_have_a_cell_per_column,
    pictures_say_what_they_show,
)


def _refuses_well(what: str, call: Any, choices: str) -> None:
    try:
        returned = call()
    except BvfError as error:
        require(error.message.strip(), f"{what} refuses, and does not say why{choices}")
    except Exception as error:
        raise AssertionError(
            f"{what} raises {error_text(error)}{choices}: raise a bvf.BvfError, in one line"
        ) from error
    else:
        message = f"check returns {returned!r}, which is not looked at: it refuses by a bvf.BvfError"
        require(what != "check" or returned is None, message)


def _written(result: BaseModel) -> str:
    return result.model_dump_json(by_alias=True)


def _figures(value: object, where: str) -> Iterator[tuple[str, float]]:
    """Yield every float in a result and the name of its field."""
    if isinstance(value, float):
        yield where, value
    elif isinstance(value, BaseModel):
        for name, part in value:
            yield from _figures(part, f"{where}.{name}".removeprefix("."))
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _figures(part, f"{where}[{json.dumps(name, ensure_ascii=False, default=str)}]")
    elif isinstance(value, list | tuple):
        for index, part in enumerate(value):
            yield from _figures(part, f"{where}[{index}]")


def _shown(trial: Trial) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield lists of results of one criterion and their tables in every view. The first list has a single result."""
    for name in trial.criteria:
        alike = [each for each in trial.accepted if each.choices.criterion_name == name]
        for view in VIEWS:
            every = [each.result for each in alike if trial.refusal(each.choices, view) is None]
            for results in (every[:1], every) if every else ():
                yield results, list(trial.analysis.rows(results, view))


def _check_picture(picture: object) -> None:
    if not isinstance(picture, Picture):
        raise AssertionError(f"pictures gave a {type(picture).__name__}, not a bvf.Picture")
    name, caption = type(picture).__name__, picture.caption()
    require(picture.title.strip(), f"{name} has no title, which says in a few words what it is")
    require(caption.strip() and caption.isprintable(), f"the caption of {name} is {caption!r}, not a line of text")
    try:
        json.dumps(picture.interactive(), allow_nan=False)
    except (TypeError, ValueError) as error:
        message = f"interactive of {name} is not JSON: {error_text(error)}; say None where there is none"
        raise AssertionError(message) from error


def _check_section(section: object) -> None:
    if not isinstance(section, Section):
        raise AssertionError(f"rows gave a {type(section).__name__}, not a bvf.Section")
    columns = len(section.columns)
    require(section.title.strip(), "a table has no title")
    message = f'"{section.title}": {section.names} of {columns} columns are said to name a row'
    require(1 <= section.names <= columns, message)
    for row in (section.columns, *section.above, *section.rows):
        message = (
            f'"{section.title}": a row has the cells {list(row)}; there are {columns} columns, and cells are texts'
        )
        require(len(row) == columns and all(isinstance(cell, str) for cell in row), message)
