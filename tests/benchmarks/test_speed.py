"""The figures in docs/evidence/performance.md are measured on the same numbers, and their limit is counted right."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from benchmarks.__main__ import programs
from benchmarks.pages import PAGES, ROOT, kept
from benchmarks.speed import limit, peers
from benchmarks.speed.plain_loop import Plain
from benchmarks.speed.run import page
from benchmarks.speed.workloads import workloads


@pytest.fixture(scope="module")
def w4():
    torch.set_num_threads(1)
    return next(workloads(["W4"], Path()))


def test_the_plain_loop_and_the_backend_agree(w4):
    backend, prompts = w4.backend(), w4.prompts(3)
    logp = backend.word_logprobs(prompts, w4.words, absolute=False)
    plain = Plain.read(w4.folder, w4.kind)
    theirs = plain.whole_words(prompts, w4.words)
    assert np.abs(w4.p(logp) - w4.p(theirs)).max() < 1e-5
    single = [word for word in w4.words if len(plain.tokens(word)) == 1]
    assert np.abs(plain.first_tokens(prompts, single) - plain.whole_words(prompts, single)).max() < 1e-4


def test_the_limit_counts_every_distinct_token_once(w4, monkeypatch):
    rates = []

    def rate_of(product, shapes):
        rates.append(limit.operations(shapes))
        return 1e9

    monkeypatch.setattr(limit, "rate_of", rate_of)
    backend, words = w4.backend(), ["he", "grandmother"]
    prompts = [*w4.prompts(2), *w4.prompts(2)]
    cuts = backend.cutter.cut(prompts, words)
    pieces = cuts[0].slot.pieces
    assert [len(ids) for ids in pieces] == [1, max(len(ids) for ids in pieces)]
    texts = len({cut.left[:length] for cut in cuts for length in range(1, len(cut.left) + 1)})
    inner = 2 * (len(pieces[1]) - 1)
    width, middle, vocabulary, layers = 192, 512, 4096, 4
    body = 2 * (4 * width * width + 3 * width * middle) * layers
    head = 2 * width * vocabulary
    workload = SimpleNamespace(kind="causal", words=words)
    shares = limit.shares_of_limits(workload, backend, prompts, 2.0)
    assert next(iter(shares)) == "torch.mm"
    assert rates == [body, head] * len(shares)
    expected = (texts + inner) * body + inner * head
    assert list(shares.values()) == [[pytest.approx(1.0), pytest.approx(expected / 2e9)]] * len(shares)


TIMES = "\N{MULTIPLICATION SIGN}"


def test_the_tables_have_a_line_per_workload():
    figures = {"bvf": 500.0, "limits": {"torch.mm": [180.0, 0.6]}, "difference": 4e-7}
    row = {"workload": "W4", "summary": "small", "words": 78, "plain": 20.0, "others": {"other": 40.0}, **figures}
    table = page({"machine": "a machine", "date": "today", "workloads": [row]})
    assert table.startswith("a machine, today.\n\n")
    assert f"| W4: small | 500 | 20 (25 {TIMES}) | 40 (12.5 {TIMES}) |" in table
    assert "| W4: small | 78 | 0.60 | 4e-07 |" in table


def test_the_page_has_the_tables_of_the_raw_figures():
    table = page(kept(PAGES / "performance/speed.json"))
    assert f"<!-- speed -->\n\n{table}\n\n<!-- /speed -->" in (PAGES / "performance.md").read_text(encoding="utf-8")


def test_another_program_answers_in_a_process_of_its_own(monkeypatch, tmp_path):
    asked = json.dumps({"program": "letters", "pairs": [["ab", ["c", "def"]]], "threads": 1, "repeats": 2})
    (tmp_path / "asked.json").write_text(asked)
    monkeypatch.setitem(peers.PROGRAMS, "letters", lambda _: lambda pairs: [[len(x) for x in xs] for _, xs in pairs])
    printed = []
    monkeypatch.setattr("builtins.print", printed.append)
    peers.main(str(tmp_path / "asked.json"))
    seconds, lengths = json.loads(printed[0])
    assert seconds >= 0
    assert lengths == [[1, 3]]


def test_the_programs_that_pages_name_are_there():
    known = programs()
    texts = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    named = {name for text in texts for name in re.findall(r"python -m benchmarks ([\w.]+)", text)}
    assert named <= set(known)
    assert set(known) - named == {"speed.peers", "speed.run"}  # which another program and `make bench` start
