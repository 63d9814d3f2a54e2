"""Runs several models, or one model in several context sets. A failure does not end the other runs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from bvf.tables.markup import as_html
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
"""Keys that name the model in its table: ``name`` alone, or ``path`` and a ``name`` to show."""
EXAMPLE = 'write [[model]] and, below it, name = "gpt2"'


@dataclass(frozen=True)
class Failure:
    """A failed run among several: its model and contexts, and the error's message and hint."""

    model: str
    contexts: str
    message: str
    hint: str

    def __str__(self) -> str:
        named = " in ".join(filter(None, (self.model or "bundled model", self.contexts)))
        return f"{named}: {self.message}" + (f"; {self.hint}" if self.hint else "")


class Runs(Sequence[ResultBase]):
    """Results of several runs, in the order of their models. ``failures`` are the runs that failed, and why."""

    def __init__(self, results: Sequence[Any], failures: Sequence[Failure] = ()) -> None:
        self._results = tuple(results)
        self.failures = tuple(failures)

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
        """The tables of ``bvf run`` as HTML, for notebooks; None if they cannot be shown."""
        from bvf.results.sections import notebook_sections

        sections = notebook_sections(self._results, [f"FAILED: {failure}" for failure in self.failures])
        return None if sections is None else as_html(sections)

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per result and group: model and contexts, then the columns of ``Result.to_frame``."""
        from bvf.results.sections import group_frame

        return group_frame(self._results)


def in_turn(
    configs: Sequence[RunConfig],
    begin: Callable[[RunConfig], T],
    finish: Callable[[T], R],
    on_failure: Callable[[Failure], None] = lambda _: None,
    ahead: Callable[[Sequence[T]], Iterable[tuple[int, Failure]]] = lambda _: (),
) -> tuple[list[R], list[Failure]]:
    """Do runs in turn: ``begin`` all, then ``finish`` each. A failed run does not end the other runs.

    ``begin`` refuses what can be refused before a model is loaded. ``ahead`` may do the work of several runs that have
    begun at the same time, so that ``finish`` finds it done; it yields the places and failures of those that failed. If
    no run can begin, or if there is one run alone and it fails, an error is raised; else ``on_failure`` is called at
    once with each failure.
    """
    if len(configs) == 1:
        return [finish(begin(configs[0]))], []
    begun = [(config, _tried(begin, config, config)) for config in configs]
    failures = [each for _, each in begun if isinstance(each, Failure)]
    if len(failures) == len(configs):
        if len({failure.message for failure in failures}) == 1:
            raise BvfError(failures[0].message, failures[0].hint)
        raise BvfError(f"none of {len(failures)} runs can begin: {'; '.join(map(str, failures))}")
    for failure in failures:
        on_failure(failure)
    going = [(config, each) for config, each in begun if not isinstance(each, Failure)]
    ended = dict[int, R | Failure]()
    for place, failure in ahead([each for _, each in going]):
        ended[place] = failure
        on_failure(failure)
    for place, (config, each) in enumerate(going):
        if place in ended:
            continue
        ended[place] = result = _tried(finish, each, config)
        if isinstance(result, Failure):
            on_failure(result)
    in_order = [ended[place] for place in range(len(going))]
    failures += [each for each in in_order if isinstance(each, Failure)]
    return [each for each in in_order if not isinstance(each, Failure)], failures


def failure_of(config: RunConfig, error: Exception) -> Failure:
    """Return the failure of a run, as an error tells it."""
    line = error if isinstance(error, BvfError) else explained(error)
    return Failure(config.model, _name_of(config.contexts), in_one_line(line.message), line.hint)


def _tried(act: Callable[[T], R], on: T, config: RunConfig) -> R | Failure:
    try:
        return act(on)
    except Exception as error:  # noqa: BLE001 - a plugin may fail in any way, and the others are to be done
        return failure_of(config, error)


def configs_of(layers: Sequence[tuple[str, Mapping[str, Any]]]) -> list[RunConfig]:
    """Return a configuration per model and context set.

    Each layer names a source and has its settings, which replace those of earlier layers; ``model`` and ``contexts``
    may be lists. Settings in the table of a model replace others of its layer.
    """
    common: Values = {}
    models: list[Values] = [{}]
    sets: list[Any] = [""]
    for where, layer in layers:
        rest = {name: value for name, value in layer.items() if name not in {"model", "contexts", "name"}}
        RunConfig.checked(rest, where)
        shared = with_options_in_tables(rest)
        common = _merged(common, shared)
        models = _models(layer["model"], where) if "model" in layer else [_merged(model, shared) for model in models]
        models = _renamed(layer["name"], models, where) if "name" in layer else models
        sets = _sets(layer["contexts"], where) if "contexts" in layer else sets
    out, where = common.get("out", ""), layers[-1][0]
    choices = [(model, chosen) for model in models for chosen in sets]
    names = [{"model": str(model.get("model", "")), "contexts": _name_of(chosen)} for model, chosen in choices]
    return [
        RunConfig.checked({**_merged(common, model), "contexts": chosen, "out": _folder_of(out, named, names)}, where)
        for (model, chosen), named in zip(choices, names, strict=True)
    ]


def _merged(below: Values, above: Values) -> Values:
    tables = {name: below.get(name, {}) | above[name] for name in OPTION_TABLES if name in above}
    return {**below, **above, **tables}


def _models(given: Any, where: str) -> list[Values]:
    """The settings of each model, including ``model``, its name or path."""
    models = [_model(each, place, where) for place, each in enumerate(_listed(given), 1)]
    if not models:
        raise BvfError(f"{where}: model is an empty list", EXAMPLE)
    for name, times in Counter(str(each["model"]) for each in models).items():
        if times > 1:
            raise BvfError(
                f'{where}: the model "{name}" occurs {times} times',
                "name every model once; with other options it is a run of its own, and bvf show DIR DIR has both",
            )
    return models


def _renamed(given: Any, models: list[Values], where: str) -> list[Values]:
    """The settings of the models, with the given display names added."""
    names = _listed(given)
    for name in names:
        RunConfig.checked({"name": name or " "}, where)
    if len(names) != len(models):
        raise BvfError(
            f"{where}: {counted(len(names), 'name')} for {counted(len(models), 'model')}",
            "give --name once per model, in the order of the models, or leave it out",
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
    """The distinct context sets of a setting."""
    listed = _listed(given)
    if not listed:
        raise BvfError(f"{where}: contexts is an empty list", RunConfig.model_fields["contexts"].description or "")
    for each in listed:
        RunConfig.checked({"contexts": each}, where)
    return list({each if isinstance(each, str) else id(each): each for each in listed}.values())


def _listed(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _name_of(contexts: Any) -> str:
    return contexts.name if isinstance(contexts, ContextSet) else str(contexts)


def _folder_of(out: Any, choice: dict[str, str], choices: Sequence[dict[str, str]]) -> str:
    """The folder of one of several runs, below ``out``. Its name has the settings in which the runs differ."""
    several = {name: {each[name] for each in choices} for name in choice}
    slugs = [_slug(choice[name], others) for name, others in several.items() if len(others) > 1]
    return str(Path(out, *slugs)) if out else ""


def _slug(text: str, others: set[str]) -> str:
    """A folder name for a text. A digest is added if another text gives the same name, ignoring case."""
    slug = _plain(text)
    alone = all(_plain(other).casefold() != slug.casefold() for other in others - {text})
    return slug if slug and alone else f"{slug}-{digest_of(text)[:8]}".lstrip("-")


def _plain(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-.")
