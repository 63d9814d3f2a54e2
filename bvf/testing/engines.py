"""What engines must do."""

from bvf.engine import Engine
from bvf.testing.check import Check, checks_of, require

SHARDS = tuple(range(17))


def engine_checks(engine: Engine) -> list[Check]:
    """Return the checks of an engine: every shard once, each with its own scores, and errors passed on."""
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


ENGINE_CHECKS = (every_shard_is_scored_once, no_shards_are_no_work, a_failure_is_passed_on)


def _tripled(shard: int) -> int:
    return 3 * shard


def _failing(shard: int) -> int:
    return shard // (shard - 5)
