"""lm-evaluation-harness on texts with their answers: reads JSON on stdin, prints the least seconds and log p."""

import json
import sys
import time

import torch

BATCH = 32


def main() -> None:
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    task = json.load(sys.stdin)
    torch.set_num_threads(task["threads"])
    model = HFLM(pretrained=task["folder"], device="cpu", dtype="float32", batch_size=BATCH, add_bos_token=True)

    def score(pairs: list[tuple[str, list[str]]]) -> list[list[float]]:
        requests = [
            Instance(request_type="loglikelihood", doc={}, arguments=(left, answer), idx=0)
            for left, answers in pairs
            for answer in answers
        ]
        logps = iter([logp for logp, _ in model.loglikelihood(requests, disable_tqdm=True)])
        return [[next(logps) for _ in answers] for _, answers in pairs]

    score(task["pairs"][:8])
    seconds = []
    for _ in range(task["repeats"]):
        began = time.perf_counter()
        logp = score(task["pairs"])
        seconds.append(time.perf_counter() - began)
    sys.stdout.write(json.dumps({"seconds": min(seconds), "logp": logp}) + "\n")


if __name__ == "__main__":
    main()
