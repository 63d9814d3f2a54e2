"""The figures in docs/evidence/performance.md are measured on the same numbers, and their limit is counted right."""

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from bvf.interfaces.tolerance import Tolerance

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks" / "speed"))

from limit import limits_of
from plain_loop import Plain
from run import ComputeClock, Row, Share, Together, Within, probabilities, table_of
from workloads import workloads


@pytest.fixture(scope="module")
def w4():
    torch.set_num_threads(1)
    return workloads(["W4"], Path())[0]


def test_the_plain_loop_and_the_backend_agree(w4):
    backend, prompts = w4.backend(), w4.prompts(3)
    clock = ComputeClock(backend)
    ours = probabilities(w4, backend.word_logprobs(prompts, w4.words, absolute=False))
    assert clock.taken() > 0
    clock.reset()
    backend.answers(prompts, w4.words, w4.class_of_word, Tolerance.on_each(1e-3, len(prompts)))
    with_a_tolerance = clock.questions
    clock.reset()
    backend.answers(prompts, w4.words, w4.class_of_word, Tolerance.on_each(0.0, len(prompts)))
    assert 0 < with_a_tolerance < clock.questions
    plain = Plain(w4)
    theirs = probabilities(w4, plain.whole_words(prompts, w4.words))
    assert np.abs(ours - theirs).max() < 1e-5
    single = [word for word in w4.words if len(plain.pieces(word)) == 1]
    assert np.abs(plain.first_pieces(prompts, single) - plain.whole_words(prompts, single)).max() < 1e-4


def test_the_limit_counts_every_distinct_token_once(w4, monkeypatch):
    monkeypatch.setattr("limit.SECONDS", 0.01)
    backend = w4.backend()
    prompts = w4.prompts(2)
    cuts = backend.cutter.cut([*prompts, *prompts], ["he", "grandmother"])
    pieces = cuts[0].slot.pieces
    assert [len(ids) for ids in pieces] == [1, max(len(ids) for ids in pieces)]
    texts = len({cut.left[:length] for cut in cuts for length in range(1, len(cut.left) + 1)})
    inner = 2 * (len(pieces[1]) - 1)
    width, middle, vocabulary, layers = 192, 512, 4096, 4
    body = 2 * (4 * width * width + 3 * width * middle) * layers
    expected = (texts + inner) * body + inner * 2 * width * vocabulary
    limits = limits_of(backend.model, "causal", cuts)
    assert limits[0].products == "torch.mm"
    assert [limit.gflops for limit in limits] == pytest.approx([expected / 1e9] * len(limits))
    texts_alone = limits_of(backend.model, "causal", cuts, questions=0)
    assert texts_alone[0].gflops == pytest.approx(texts * body / 1e9)


TIMES = "\N{MULTIPLICATION SIGN}"


def test_the_tables_have_a_line_a_figure():
    row = Row("W4", "small", 78, bvf=500.0, plain=20.0, others={"other": 40.0}, host_share=0.1, difference=4e-7)
    row.limits = [Share("torch.mm", gflops=180.0, share=0.6)]
    limit = Share("torch.mm", gflops=180.0, share=0.4)
    row.within = [Within(1e-3, bvf=1200.0, host_share=0.1, bound=1e-3, difference=8e-4, limits=[limit])]
    row.together = [Together(0.0, bvf=600.0), Together(1e-3, bvf=1600.0)]
    table = table_of([row])
    assert f"| W4: small | 500 | 20 (25 {TIMES}) | 40 (12.5 {TIMES}) |" in table
    assert f"| W4 with `--tolerance 0.001` | 1200 | 20 (60 {TIMES}) | 40 (30 {TIMES}) |" in table
    assert f"| W4 with `--engine processes:2` | 600 | 20 (30 {TIMES}) | 40 (15 {TIMES}) |" in table
    assert f"| W4 with `--tolerance 0.001 --engine processes:2` | 1600 | 20 (80 {TIMES}) | 40 (40 {TIMES}) |" in table
    assert "| W4: small | 78 | 0.60 of 180 GFLOP/s | 0.10 | 4e-07 |" in table
    assert "| W4 with `--tolerance 0.001` | 78 | 0.40 of 180 GFLOP/s | 0.10 | 0.0008 (bound 0.001) |" in table
