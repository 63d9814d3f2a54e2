"""Measures several models at the same time, each in one worker of an engine, and decides which of them."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from heapq import nlargest
from threading import Event, Thread

from bvf.builtin.engines.local import LocalEngine
from bvf.errors import BvfError, OutOfMemoryError
from bvf.files.folder import RESULT, run_at
from bvf.files.machine import threads
from bvf.files.pieces import each_once
from bvf.hooks.loader import load
from bvf.interfaces.engine import Capacity, Share, Work
from bvf.measuring.plan import Plan
from bvf.measuring.run import OnProgress, Progress, folder_of
from bvf.measuring.stages import LOADING, SCORING
from bvf.running.config import RunConfig
from bvf.running.one_run import PreparedRun, measured, ready
from bvf.running.several import Failure, failure_of

LONGEST = 2
"""How many times a worker's share of all weights one model may have: the other workers wait for it at the end."""


@dataclass(frozen=True)
class Weights:
    """The bytes that the weights of a model take once they are loaded.

    They are in the main memory, which all workers of a machine share, or on a device of the worker
    (``in_main_memory=False``).
    """

    size: int
    in_main_memory: bool = True


def at_once(models: Sequence[Weights | None], capacity: Capacity) -> tuple[int, ...]:
    """Return the places of the models that workers score at the same time, one model per worker, the largest first.

    Any worker takes the next model when it has finished one. All workers together score each of the other models: those
    of unknown size, those that do not fit into the main memory of every machine beside the others, and those so large
    that other workers would long be idle. The time that a model takes is estimated by its size. If a single model is
    left, it is one of the others too.

    Args:
        models: The weights of each model; None: not known.
        capacity: The workers, and their machines. Where the memory of a machine is not known, any models fit.
    """
    workers = capacity.workers
    left = {place: weights for place, weights in enumerate(models) if weights is not None}
    while len(left) > 1 and workers > 1:
        share = sum(weights.size for weights in left.values()) / workers
        too_heavy = {place: weights for place, weights in left.items() if weights.size > LONGEST * share}
        others = too_heavy or _too_many(left, capacity)
        if not others:
            return tuple(sorted(left, key=lambda place: -left[place].size))
        del left[max(others, key=lambda place: left[place].size)]
    return ()


def _too_many(models: Mapping[int, Weights], capacity: Capacity) -> dict[int, Weights]:
    """The models in the main memory, if as many as a machine has workers may not fit there together; else none."""
    in_memory = {place: weights for place, weights in models.items() if weights.in_main_memory}
    sizes = [weights.size for weights in in_memory.values()]
    fit = all(
        machine.memory is None or sum(nlargest(machine.workers, sizes)) <= machine.memory
        for machine in capacity.machines
    )
    return {} if fit else in_memory


SECONDS = 1.0
"""How long to wait before the folders are looked at again for progress."""


@dataclass(frozen=True)
class WholeRun:
    """A run that one worker measures from its beginning to its end.

    ``place`` is its place among the runs, and ``identity`` that of its measurement: the worker must find the same one.
    """

    place: int
    config: RunConfig
    identity: Mapping[str, str]


@dataclass(frozen=True)
class RunOutcome:
    """A run that a worker has measured, or that failed there."""

    place: int
    failure: Failure | None = None


@dataclass(frozen=True)
class MeasuringWhole(Work[WholeRun, RunOutcome]):
    """Measures runs, each with a model that is loaded once. ``extra`` and ``without`` choose the plugins."""

    extra: tuple[str, ...]
    without: tuple[str, ...]

    def begin(self, share: Share) -> Callable[[WholeRun], RunOutcome]:
        """Look up the plugins, and return the function that measures one run."""
        plugins = load(extra=self.extra, without=self.without)

        def measure(whole: WholeRun) -> RunOutcome:
            gc.collect()  # frees the model of the run before, which has cycles
            try:
                measured(_in_this_process(_as_it_began(ready(whole.config, plugins), whole), share))
            except OutOfMemoryError:  # it does not fit here, so that all workers will score it
                return RunOutcome(whole.place)
            except Exception as error:  # noqa: BLE001 - a plugin may fail in any way, and the others are to be done
                return RunOutcome(whole.place, failure_of(whole.config, error))
            return RunOutcome(whole.place)

        return measure


def _as_it_began(run: PreparedRun, whole: WholeRun) -> PreparedRun:
    """The run as this process finds it. Raises `BvfError` if its model or plugins are others than where it began."""
    here = run.plan.model.identity()
    run.plan.model.refuse_other({name: there for name, there in whole.identity.items() if name in here})
    if run.plan.identity != whole.identity:
        raise BvfError("a plugin has changed since the run began: it asks other questions", "run it again")
    return run


def _in_this_process(run: PreparedRun, share: Share) -> PreparedRun:
    """The run, to be scored in this process with its share of the machine."""
    share = share.within(threads(run.config.threads))

    def here(plan: Plan) -> Plan:
        request = replace(plan.model.request, share=share)
        return replace(plan, engine=LocalEngine(), model=replace(plan.model, request=request))

    controls = tuple(replace(control, plan=here(control.plan)) for control in run.controls)
    return replace(run, plan=here(run.plan), controls=controls)


def placed(runs: Sequence[PreparedRun]) -> tuple[int, ...]:
    """Return the places of the runs that workers measure at the same time, the one with the largest model first.

    There are none unless all runs have one engine, with several workers. Finished runs are not among
    them, and of several runs in one folder only the first.
    """
    if len({(run.plan.config.engine, str(run.plan.config.engine_options)) for run in runs}) != 1:
        return ()
    folders = [folder_of(run.plan).path.absolute() for run in runs]
    to_do = [
        None if folder in folders[:place] or run_at(folder).exists(RESULT) else _weights(run)
        for place, (run, folder) in enumerate(zip(runs, folders, strict=True))
    ]
    if sum(weights is not None for weights in to_do) < 2:
        return ()
    return at_once(to_do, runs[0].plan.engine.capacity())


def _weights(run: PreparedRun) -> Weights | None:
    description = run.plan.model.description
    return None if description.memory is None else Weights(description.memory, description.in_main_memory)


def measured_at_once(
    runs: Sequence[PreparedRun], places: Sequence[int], on_progress: OnProgress | None = None
) -> Iterator[tuple[int, Failure]]:
    """Have workers measure the runs in these places, and yield the place of each that fails, and why.

    If a model does not fit into the memory of a worker, or the workers end, runs are left as they are: the same run
    in this process goes on from there.
    """
    if not places:
        return
    chosen = [runs[place] for place in places]
    first = chosen[0]
    tasks = [WholeRun(place, runs[place].config, runs[place].plan.identity) for place in places]
    work = MeasuringWhole(first.config.plugin, first.config.without)
    ended = each_once(first.plan.engine, tasks, work, (WholeRun, RunOutcome), lambda task, its: its.place == task.place)
    with suppress(BvfError), _watched(chosen, on_progress or (lambda _: None)), closing(ended):
        for task, its in ended:
            if its.failure is not None:
                yield task.place, its.failure


@contextmanager
def _watched(runs: Sequence[PreparedRun], on_progress: OnProgress) -> Iterator[None]:
    """In the block, report how many prompts are stored whenever there are more. Other processes store them."""
    sizes = [(folder_of(run.plan), {shard.index: shard.size for shard in run.plan.questions.shards()}) for run in runs]
    total, ended = sum(sum(shards.values()) for _, shards in sizes), Event()

    def done() -> int:
        return sum(shards.get(index, 0) for folder, shards in sizes for index in folder.stored())

    before = done()

    def report() -> None:
        seen = before
        on_progress(Progress(before, total, before, LOADING))
        while not ended.wait(SECONDS):
            with suppress(BvfError):
                now = done()
                if now > seen:
                    on_progress(Progress(now, total, before, SCORING))
                    seen = now

    watching = Thread(target=report, name="progress of several runs", daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()
