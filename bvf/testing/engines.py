"""What engines must do."""

from threading import Lock
from time import sleep

from bvf.interfaces.engine import Engine
from bvf.testing.check import Check, checks_of, require

SHARDS = tuple(range(17))
SECONDS_IN_A_CALL = 0.01
"""Long enough for another thread to begin a call."""


def engine_checks(engine: Engine) -> list[Check]:
    """Return the checks of an engine.

    Every shard comes back once with its own scores, errors are passed on, and a copy of the scorer answers one call at
    a time.
    """
    return checks_of(ENGINE_CHECKS, engine)


def every_shard_is_scored_once(engine: Engine) -> None:
    """Each shard comes back once, in any order, with what was computed for it."""
    found = list(engine.scores(SHARDS, _tripled))
    require(sorted(shard for shard, _ in found) == list(SHARDS), f"{len(SHARDS)} shards came back as {sorted(found)}")
    wrong = [shard for shard, score in found if score != 3 * shard]
    require(not wrong, f"shard {wrong[:1]} came back with the scores of another")


def no_shards_are_no_work(engine: Engine) -> None:
    """A run of which everything is stored asks for nothing."""
    require(list(engine.scores((), _tripled)) == [], "there are scores without shards")


def a_failure_is_passed_on(engine: Engine) -> None:
    """What `score` raises reaches the caller: a run must not end as if it were whole."""
    try:
        list(engine.scores(SHARDS, _failing))
    except ZeroDivisionError:
        return
    raise AssertionError("an error in one shard was swallowed: the run would end without it")


def one_call_at_a_time(engine: Engine) -> None:
    """No two threads are in one copy of `score` at once: models are not made for that."""
    try:
        list(engine.scores(SHARDS, _Alone()))
    except _TwoAtOnceError as error:
        raise AssertionError(
            "score was called from two threads at once: answers of a model would be mixed; "
            "give each worker a copy of its own in its own process"
        ) from error


ENGINE_CHECKS = (every_shard_is_scored_once, no_shards_are_no_work, a_failure_is_passed_on, one_call_at_a_time)


class _TwoAtOnceError(RuntimeError):
    """A second call came before the first one ended."""


class _Alone:
    """Refuses a call while another one lasts; a copy that was pickled is another one."""

    def __init__(self) -> None:
        self._free = Lock()

    def __call__(self, shard: int) -> int:
        if not self._free.acquire(blocking=False):
            raise _TwoAtOnceError
        try:
            sleep(SECONDS_IN_A_CALL)
        finally:
            self._free.release()
        return shard

    def __reduce__(self) -> tuple[type["_Alone"], tuple[()]]:
        return _Alone, ()


def _tripled(shard: int) -> int:
    return 3 * shard


def _failing(shard: int) -> int:
    return shard // (shard - 5)
