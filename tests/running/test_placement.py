"""Which of several models are scored at the same time, and in which order: examples by hand, and what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.interfaces.engine import Capacity, Machine
from bvf.running.placement import LONGEST, Weights, at_once

GB = 10**9
BILLIONS = 2 * GB
"""Bytes of a billion parameters in a 16-bit format."""


def on_gpus(*billions):
    return [None if each is None else Weights(int(each * BILLIONS), in_main_memory=False) for each in billions]


def in_memory(*gigabytes):
    return [Weights(int(each * GB)) for each in gigabytes]


def on_one_machine(workers, free):
    return Capacity(workers, (Machine(workers, free),))


@pytest.mark.parametrize(
    ("models", "workers", "free", "places"),
    [
        (on_gpus(1, 3, 2), 4, None, (1, 2, 0)),  # a device for each
        (on_gpus(1, 1, 1, 1, 2, 1), 2, None, (4, 0, 1, 2, 3, 5)),  # more models than devices; equal ones as named
        (on_gpus(7), 4, None, ()),  # one model is scored by all workers
        (on_gpus(3, 1), 1, None, ()),  # one worker
        (on_gpus(7, 0.1), 8, None, ()),  # seven devices would wait for one: all score each model
        (on_gpus(7, 1, 1, 1, 1), 4, None, (1, 2, 3, 4)),  # 7 of 11 is more than 2 / 4, 1 of 4 is not
        (on_gpus(2, 1), 3, None, (0, 1)),  # 2 of 3 is just 2 / 3
        (on_gpus(2.1, 1), 3, None, ()),  # and this is more
        (on_gpus(1, None, 1), 2, None, (0, 2)),  # a server, or weights on several devices
        (in_memory(2, 3, 2), 2, 5 * GB, (1, 0, 2)),  # the two largest together
        (in_memory(2, 3, 2), 2, 5 * GB - 1, (0, 2)),  # the largest is scored as if it were alone
        (in_memory(2, 3, 2), 2, 4 * GB - 1, ()),  # no two fit
        (in_memory(2, 3, 2), 3, 6 * GB, (0, 2)),  # three workers hold all three: 7 GB
        ([*in_memory(2, 2), Weights(9 * GB, in_main_memory=False)], 4, 4 * GB, (0, 1)),  # 9 of 13 is more than 2 / 4
        ([*in_memory(4), *on_gpus(2, 2)], 3, 3 * GB, (1, 2)),  # what is on a device needs no main memory
        ([], 4, None, ()),
    ],
)
def test_models_that_fit_are_scored_at_the_same_time_the_largest_first(models, workers, free, places):
    assert at_once(models, on_one_machine(workers, free)) == places


@pytest.mark.parametrize(
    ("machines", "workers", "places"),
    [
        (((2, 5), (2, 5)), 4, (1, 0, 2, 3)),  # 3 and 2 GB fit on either machine
        (((2, 5), (2, 4)), 4, (0, 2, 3)),  # but not on the second; 2 and 2 do
        (((2, 5), (1, 3)), 3, (1, 0, 2, 3)),  # one at a time on the second
        (((2, 5), (1, 2)), 3, (0, 2, 3)),
        (((2, 5), (2, None)), 4, (1, 0, 2, 3)),
        (((2, 3), (2, 3)), 2, ()),  # two workers in all, and both may be on one machine
    ],
)
def test_models_fit_on_every_machine_or_all_workers_score_them(machines, workers, places):
    having = tuple(Machine(its, None if free is None else free * GB) for its, free in machines)
    assert at_once(in_memory(2, 3, 2, 2), Capacity(workers, having)) == places


weights = st.builds(Weights, st.integers(0, 100), st.booleans())
many = st.lists(st.none() | weights, max_size=8)
machines = st.lists(st.builds(Machine, st.integers(1, 4), st.none() | st.integers(0, 300)), max_size=3)


@given(many, machines)
def test_what_is_placed_fits_and_keeps_no_worker_waiting_for_long(models, machines):
    workers = sum(machine.workers for machine in machines)
    places = at_once(models, Capacity(workers, tuple(machines)))
    sizes = [models[place].size for place in places]
    assert len(places) != 1
    assert len(set(places)) == len(places)
    assert sizes == sorted(sizes, reverse=True)
    assert workers > 1 or not places
    assert all(size <= LONGEST * sum(sizes) / workers for size in sizes)
    in_main_memory = [models[place].size for place in places if models[place].in_main_memory]
    for machine in machines:
        assert machine.memory is None or sum(in_main_memory[: machine.workers]) <= machine.memory


@given(many, st.integers(1, 6), st.integers(0, 300))
def test_more_memory_places_no_fewer_models(models, workers, free):
    places = [at_once(models, on_one_machine(workers, memory)) for memory in (free, None)]
    assert set(places[0]) <= set(places[1])
