"""What stands left of [X] is read once per context; the answers are those of plain reading, whatever is kept."""

import numpy as np
import pytest
import torch
from bvf_transformers.reading.kept import HEADS_TOGETHER, Kept
from bvf_transformers.tokens.cutting import Cut, Slot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain import own_logprobs_after

import bvf
from bvf import Prompt

SLOW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXTS = st.lists(st.lists(st.integers(3, 6), min_size=2, max_size=12).map(tuple), min_size=1, max_size=12, unique=True)
SEVERAL_PIECES, ONE_PIECE = Slot(((4,), (4, 5), (6, 7, 8))), Slot(((4,), (5,)))
OPENINGS = ("She was here.", "He is there.", "They said so;", "The quick brown fox jumped.")


@pytest.fixture(autouse=True)
def every_head_is_kept(monkeypatch):
    monkeypatch.setattr("bvf_transformers.kinds.causal.FEWEST_TOKENS", 1)


@pytest.fixture
def read(monkeypatch):
    """Return the shapes of the batches that a model reads in a call."""

    def shapes_in(backend, call):
        shapes, forward = [], backend.model.forward
        with monkeypatch.context() as patch:
            patch.setattr(
                backend.model, "forward", lambda **given: shapes.append(given["input_ids"].shape) or forward(**given)
            )
            call()
        return shapes

    return shapes_in


@pytest.mark.parametrize("name", ["llama", "gpt2", "gpt_neo", "opt"])
@SLOW
@given(
    texts=TEXTS,
    slot=st.sampled_from([SEVERAL_PIECES, ONE_PIECE]),
    most_bytes=st.sampled_from([0, 4000, 10**9]),
    batch_tokens=st.sampled_from([1, 30, "auto"]),
    rng=st.randoms(use_true_random=False),
)
def test_texts_after_kept_heads_are_read_as_one_text_at_a_time(
    name, folder_of, load_model, texts, slot, most_bytes, batch_tokens, rng
):
    backend = load_model(folder_of(name), batch_tokens=batch_tokens)
    backend.reader.kept._most_bytes = most_bytes
    cuts = [Cut(text, (), slot, head=rng.randrange(len(text))) for text in texts]
    with torch.no_grad():
        expected = np.array([own_logprobs_after(backend.model, text, slot.pieces) for text in texts])
    for some in (slice(None, None, 2), slice(None), slice(None)):
        assert np.abs(backend.cut_logprobs(cuts[some], absolute=True) - expected[some]).max() < 1e-5
    assert backend.reads_trees or name == "gpt_neo"  # its window has 8 tokens


def test_a_head_is_read_once_for_all_shards_and_answers_are_the_same_bits(folder_of, load_model, read):
    first, second = (
        [Cut((*head, *group), (), SEVERAL_PIECES, head=12) for head in _heads(20)] for group in ((3,), (4,))
    )
    backend, fresh, none_kept = (load_model(folder_of("llama")) for _ in range(3))
    none_kept.reader.kept._most_bytes = 0
    answers = []
    for each, before in ((backend, first), (fresh, second[:1]), (none_kept, first)):
        assert read(each, lambda each=each, before=before: each.cut_logprobs(before, absolute=True)).count((8, 16)) > 0
        shapes = read(each, lambda each=each: answers.append(each.cut_logprobs(second, absolute=True)))
        assert shapes.count((8, 16)) == (0 if each is backend else 3)  # 20 or 19 heads of 12 tokens, padded
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[0], answers[2])


def test_heads_of_other_contexts_take_the_place_of_those_that_fill_the_memory():
    batches = []

    def states(heads, length):
        batches.append(len(heads))
        tokens = torch.tensor([float(token) for head in heads for token in head]).view(-1, 1, 1)
        return [(tokens, -tokens)]

    kept = Kept(8 * 2 * 8, 1024)  # keys and values of 16 tokens
    ours, theirs = _heads(2, 8), [(9, *head[1:]) for head in _heads(3, 8)]
    for heads, new in ((ours, [2]), (ours, []), (theirs[:1] + ours, [1]), (theirs[:1] + ours, [1]), (theirs, [3])):
        batches.clear()
        places, stop = kept.places(heads, states)
        assert batches == new
        assert stop == 8 * max(len(heads), 2)
        assert [tuple(kept.memory[0][0][place, 0, 0].tolist()) for place in places] == heads
    assert kept.places(_heads(HEADS_TOGETHER + 1, 8), states)[0][-1].tolist() == list(range(64, 72))


@pytest.mark.parametrize(
    ("context", "lefts", "shared"),
    [
        (
            "She was here. The [X] said that [Y]",
            ["She was here. The nurse said", "She was here. The baker said"],
            " The",
        ),
        ("She was here. A [X] said [Y]", ["She was here. A nurse said", "She was here. An actor said"], " A"),
        ("[X] said that [Y]", ["Nurses said that", "Bakers said that"], None),
    ],
)
def test_a_head_is_what_all_groups_share(folder_of, load_model, context, lefts, shared):
    backend = load_model(folder_of("gpt2"))
    cuts = backend.cut([Prompt(left, "", "group", context) for left in lefts], ["he", "she"])
    heads = {backend.text_of(cut.left[: cut.head]) for cut in cuts}
    assert heads == {"" if shared is None else f"She was here.{shared}"}


def test_of_a_text_before_the_group_all_but_one_token_is_a_head(folder_of, load_model):
    prompt = Prompt("She was here, said", " to the nurse", "nurse", "She was here, said [Y] to the [X]")
    (cut,) = load_model(folder_of("gpt2")).cut([prompt], ["he"])
    assert cut.head == len(cut.left) - 1 > 0


def test_parts_and_a_run_that_goes_on_store_what_one_run_stores(folder_of, tmp_path):
    contexts = tmp_path / "contexts.csv"
    rows = [f'"{opening} The [X] {verb} that [Y]",1' for opening in OPENINGS for verb in ("said", "claimed")]
    contexts.write_text("\n".join(["template,count", *rows]))
    choices = {"model": str(folder_of("llama")), "contexts": str(contexts), "limit_groups": 40, "tolerance": 0.001}
    choices |= {"topic": "gender-2026"}

    def stored(name):
        shards = sorted((tmp_path / name / "probabilities").glob("*.parquet"))
        assert len(shards) == 3
        return [shard.read_bytes() for shard in shards]

    bvf.run(**choices, out=str(tmp_path / "whole"))
    whole = stored("whole")
    for part in ("2/2", "1/2"):
        bvf.run_part(**choices, out=str(tmp_path / "parts"), part=part)
    assert stored("parts") == whole
    (tmp_path / "whole" / "probabilities").joinpath(
        sorted((tmp_path / "whole" / "probabilities").iterdir())[1]
    ).unlink()
    bvf.run(**choices, out=str(tmp_path / "whole"))
    assert stored("whole") == whole


def _heads(number, length=12):
    return [tuple(3 + (index >> bit) % 2 for bit in range(length)) for index in range(number)]
