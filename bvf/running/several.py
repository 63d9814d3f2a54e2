"""Several models, or one in several context sets: one run after another, and a failure does not end the others."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from bvf.domain.context import ContextSet
from bvf.errors import BvfError, in_one_line, nearest
from bvf.files.digests import digest_of
from bvf.hooks.failure import explained
from bvf.measuring.config import EVERYDAY, OPTION_TABLES, with_options_in_tables
from bvf.results.result import ResultBase
from bvf.running.config import RunConfig
from bvf.tables.markup import html
from bvf.tables.words import counted

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
R = TypeVar("R")
Values = dict[str, Any]
OF_A_MODEL = (
    *("backend", "backend_options", "engine", "engine_options", "threads", "tolerance"),
    *("mass_sample", "keep_words", "label"),
    *(name for name, setting in EVERYDAY.items() if setting.part == "backend"),
)
"""Settings that one of several models may have for itself: how it is asked, not what it is asked."""
ITSELF = ("path", "name")
"""Keys of the table of a model that say which it is: ``name`` alone, or ``path``, and then ``name`` is its name."""
EXAMPLE = 'write [[model]] and, below it, name = "gpt2"'
DIGITS = 8
"""Characters of a digest that tell two folders apart."""


@dataclass(frozen=True)
class Failure:
    """A run of several that could not be done.

    Args:
        model: Its name.
        contexts: Those that were chosen; empty: the topic's own.
        message: What is wrong.
        hint: What would be right; may be empty.
    """

    model: str
    contexts: str
    message: str
    hint: str

    def __str__(self) -> str:
        named = " in ".join(filter(None, (self.model or "bundled model", self.contexts)))
        return f"{named}: {self.message}" + (f"; {self.hint}" if self.hint else "")


class Runs(Sequence[ResultBase]):
    """Results of several runs, in the order of their models; and those that failed.

    Attributes:
        failures: What could not be done, and why.
    """

    def __init__(self, results: Sequence[Any], failures: Sequence[Failure] = ()) -> None:
        self._results = tuple(results)
        self.failures = tuple(failures)

    @classmethod
    def told(cls, results: Sequence[Any], failures: Sequence[Failure]) -> "Runs":
        """Return the runs, and warn of each that failed.

        Raises:
            BvfError: All failed.
        """
        if not results:
            raise BvfError(f"none of {len(failures)} runs is done: {failures[0]}")
        for failure in failures:
            warnings.warn(str(failure), stacklevel=4)
        return cls(results, failures)

    @overload
    def __getitem__(self, place: int) -> Any: ...

    @overload
    def __getitem__(self, place: slice) -> "Runs": ...

    def __getitem__(self, place: int | slice) -> Any:
        return Runs(self._results[place]) if isinstance(place, slice) else self._results[place]

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._results)

    def __repr__(self) -> str:
        failed = [f"failed: {failure}" for failure in self.failures]
        return "\n".join(["Runs of", *(f"  {line}" for line in (*map(repr, self._results), *failed))])

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the tables of ``bvf run``."""
        from bvf.results.shown import notebook_sections

        sections = notebook_sections(self._results, [f"FAILED: {failure}" for failure in self.failures])
        return None if sections is None else html(sections)

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per result and group: the model and the contexts, then the columns of ``to_frame`` of each."""
        from bvf.results.shown import group_frame

        return group_frame(self._results)


def in_turn(
    configs: Sequence[RunConfig],
    begin: Callable[[RunConfig], T],
    finish: Callable[[T], R],
    on_failure: Callable[[Failure], None] = lambda _: None,
) -> tuple[list[R], list[Failure]]:
    """Do one run after another: all are begun before any is finished, and those that fail do not end the others.

    Args:
        configs: Of the runs.
        begin: Refuses what can be refused before a model is loaded.
        finish: Does the rest.
        on_failure: Called at once with each that fails, unless none can begin.

    Returns:
        What was done, and what failed.

    Raises:
        BvfError: None can begin; where there is one run alone, whatever is wrong with it.
    """
    if len(configs) == 1:
        return [finish(begin(configs[0]))], []
    begun = [(config, _tried(begin, config, config)) for config in configs]
    failures = [each for _, each in begun if isinstance(each, Failure)]
    if len(failures) == len(configs):
        raise _nothing_begun(failures)
    for failure in failures:
        on_failure(failure)
    done: list[R] = []
    for config, each in begun:
        if isinstance(each, Failure):
            continue
        result = _tried(finish, each, config)
        if isinstance(result, Failure):
            failures.append(result)
            on_failure(result)
        else:
            done.append(result)
    return done, failures


def _tried(act: Callable[[T], R], on: T, config: RunConfig) -> R | Failure:
    try:
        return act(on)
    except Exception as error:  # noqa: BLE001 - a plugin may fail in any way, and the others are to be done
        line = error if isinstance(error, BvfError) else explained(error)
        return Failure(_named(config.model), _named(config.contexts), in_one_line(line.message), line.hint)


def _nothing_begun(failures: Sequence[Failure]) -> BvfError:
    """What is wrong with all of them, or with each."""
    first = failures[0]
    if len({failure.message for failure in failures}) == 1:
        return BvfError(first.message, first.hint)
    return BvfError(f"none of {len(failures)} runs can begin: {'; '.join(map(str, failures))}")


def configs_of(layers: Sequence[tuple[str, Mapping[str, Any]]]) -> list[RunConfig]:
    """Return a configuration per model and context set.

    Args:
        layers: Settings with where they were read; later ones count more. ``model`` and ``contexts`` may be lists;
            settings in the table of a model count more than others of its layer.

    Raises:
        BvfError: A setting is unknown or wrong, or a model is there twice; says where it was read.
    """
    common: Values = {}
    models: list[Values] = [{}]
    sets: list[Any] = [""]
    for where, layer in layers:
        rest = {name: value for name, value in layer.items() if name not in {"model", "contexts", "name"}}
        RunConfig.checked(rest, where)
        apart = with_options_in_tables(rest)
        common = _merged(common, apart)
        models = _models(layer["model"], where) if "model" in layer else [_merged(model, apart) for model in models]
        models = _called(layer["name"], models, where) if "name" in layer else models
        sets = _sets(layer["contexts"], where) if "contexts" in layer else sets
    out, where = common.get("out", ""), layers[-1][0]
    choices = [(model, chosen) for model in models for chosen in sets]
    names = [{"model": str(model.get("model", "")), "contexts": _named(chosen)} for model, chosen in choices]
    return [
        RunConfig.checked({**_merged(common, model), "contexts": chosen, "out": _folder_of(out, named, names)}, where)
        for (model, chosen), named in zip(choices, names, strict=True)
    ]


def _merged(below: Values, above: Values) -> Values:
    tables = {name: below.get(name, {}) | above[name] for name in OPTION_TABLES if name in above}
    return {**below, **above, **tables}


def _models(given: Any, where: str) -> list[Values]:
    """The settings of each model, with its name under ``model``."""
    listed = list(given) if isinstance(given, list | tuple) else [given]
    if not listed:
        raise BvfError(f"{where}: model is an empty list", EXAMPLE)
    models = [_model(each, place, where) for place, each in enumerate(listed, 1)]
    for name, times in Counter(str(each["model"]) for each in models).items():
        if times > 1:
            raise BvfError(
                f'{where}: the model "{name}" is there {times} times',
                "name every model once; with other options it is a run of its own, and bvf show DIR DIR has both",
            )
    return models


def _called(given: Any, models: list[Values], where: str) -> list[Values]:
    """The models, each with a name of its own."""
    names = list(given) if isinstance(given, list | tuple) else [given]
    for name in names:
        RunConfig.checked({"name": name or " "}, where)
    if len(names) != len(models):
        raise BvfError(
            f"{where}: {counted(len(names), 'name')} for {counted(len(models), 'model')}",
            "say --name once per model, in the order of the models, or leave it out",
        )
    return [{**model, "name": name} for model, name in zip(models, names, strict=True)]


def _model(given: Any, place: int, where: str) -> Values:
    if not isinstance(given, Mapping):
        RunConfig.checked({"model": given}, where)
        return {"model": str(given)}
    name = given.get("path", given.get("name"))
    if not isinstance(name, str | Path) or not str(name):
        raise BvfError(f"{where}: model {place} has no name", EXAMPLE)
    whose, settings = f'{where}: model "{name}"', {key: value for key, value in given.items() if key not in ITSELF}
    for key in settings:
        if key not in OF_A_MODEL and key in RunConfig.model_fields:
            raise BvfError(f"{whose}: {key} is the same for all models", f"write {key} above the first [[model]]")
        if key not in OF_A_MODEL:
            raise BvfError(f'{whose}: there is no setting "{key}"', nearest(key, list(OF_A_MODEL)))
    settings |= {"name": given["name"]} if set(ITSELF) <= given.keys() else {}
    RunConfig.checked(settings, whose)
    return {"model": str(name), **with_options_in_tables(settings)}


def _sets(given: Any, where: str) -> list[Any]:
    """Context sets, each once."""
    listed = list(given) if isinstance(given, list | tuple) else [given]
    if not listed:
        raise BvfError(f"{where}: contexts is an empty list", RunConfig.model_fields["contexts"].description or "")
    for each in listed:
        RunConfig.checked({"contexts": each}, where)
    return list({each if isinstance(each, str) else id(each): each for each in listed}.values())


def _named(chosen: Any) -> str:
    return chosen.name if isinstance(chosen, ContextSet) else str(chosen)


def _folder_of(out: Any, choice: dict[str, str], choices: Sequence[dict[str, str]]) -> str:
    """The results folder of one of several choices: inside the named one, called after what tells them apart."""
    several = {name: {each[name] for each in choices} for name in choice}
    slugs = [_slug(choice[name], others) for name, others in several.items() if len(others) > 1]
    return str(Path(out, *slugs)) if out else ""


def _slug(text: str, others: set[str]) -> str:
    """A name for a folder; with a digest where another text would have the same, in upper or lower case."""
    slug = _plain(text)
    alone = all(_plain(other).casefold() != slug.casefold() for other in others - {text})
    return slug if slug and alone else f"{slug}-{digest_of(text)[:DIGITS]}".lstrip("-")


def _plain(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-.")
