"""Every family agrees with a plain computation. Prompts and words are scored together in several ways."""

import numpy as np
import pytest
from bvf_testing import backend_checks
from plain import Plain

import bvf
from bvf import Prompt

WORDS = ["he", "she", "her", "stepmother", "grandson", "actress", "himself"]
TEXTS = [
    ("The nurse said that", ""),
    ("The nurse said that", "."),
    ("The engineer told us that", " to leave."),
    ("A baker claimed that", ""),
    ("The captain of the old house claimed that it was known that", ""),
    ("He said", " was late."),
    ("The nurse said that", ""),
    ("The nurse met a nurse. The nurse said that", " told the nurse."),
]


def prompts(order=None):
    made = [Prompt(left, right, "g", f"context {index}") for index, (left, right) in enumerate(TEXTS)]
    return made if order is None else [made[index] for index in order]


@pytest.fixture(scope="module")
def expected(folder_of):
    known = {}

    def values(family):
        if family.name not in known:
            plain = Plain(folder_of(family.name), family)
            assert len({len(plain.split(TEXTS[0][0], word, "")[1]) for word in WORDS}) >= 3, "of one, two, more pieces"
            right_of = (lambda text: "") if family.kind == "causal" else (lambda text: text)
            known[family.name] = np.array(
                [plain.own_logprobs(left, right_of(right), tuple(WORDS)) for left, right in TEXTS]
            )
        return known[family.name]

    return values


def test_word_logprobs_are_those_of_a_plain_computation(family, folder_of, load_model, expected):
    many = [*range(len(TEXTS)), *[0, 2, 4] * 4]
    backend = load_model(folder_of(family.name), batch_tokens=1)
    logp = backend.word_logprobs(prompts(many), WORDS)
    assert np.abs(logp - expected(family)[many]).max() < 1e-5
    assert (logp < 0).all()
    assert logp.std() > 0.3  # the random weights do say something


def test_a_family_passes_the_conformance_kit(family, folder_of, load_model):
    for check in backend_checks(load_model(folder_of(family.name)), prompts(), WORDS):
        check()


def test_the_kind_is_found_and_fast_paths_are_taken_where_they_are_exact(family, folder_of, load_model):
    backend = load_model(folder_of(family.name))
    assert type(backend).__name__ == f"{family.kind.title()}Model"
    assert backend.capabilities.reads_right == (family.kind != "causal")
    ids = backend.token_ids(Prompt("The nurse said that", "", "g", "c"), "he")
    special = {"<s>", "</s>", "<cls>", "<sep>", "[CLS]", "[SEP]"}
    specials = [token for token in backend.tokenizer.convert_ids_to_tokens(ids) if token in special]
    assert len(specials) == len(set(specials)) == family.before + (family.behind if family.kind != "causal" else 0)
    assert backend.readout.can_choose_rows == (family.name not in {"bart"})
    if family.kind in {"causal", "sentinel", "denoising"}:
        assert backend.has_cache
    if family.kind == "causal":
        backend.word_logprobs(prompts()[:2], WORDS[:2])
        assert backend.reads_trees == (family.name != "mistral")  # its window is shorter than the texts
        assert backend.readout.head


def test_a_slower_path_and_padding_on_the_other_side_give_the_same(family, folder_of, load_model, expected):
    backend = load_model(folder_of(family.name))
    backend.tokenizer.padding_side = backend.tokenizer.truncation_side = "left"
    backend.readout.head = None
    assert np.abs(backend.word_logprobs(prompts(), WORDS) - expected(family)).max() < 1e-5
    backend.readout._linear = None
    backend.readout.can_choose_rows = False
    backend.has_cache = False
    backend.reads_trees = False
    assert np.abs(backend.word_logprobs(prompts(), WORDS) - expected(family)).max() < 1e-5


def test_a_run_after_openings_has_the_p_of_a_plain_forward_of_the_whole_text(family, folder_of, tmp_path):
    groups, words = ("nurse", "baker"), {"male": ("he", "himself"), "female": ("she", "her")}
    templates = ("The [X] said that [Y]", "A [X] claimed that [Y].")
    (tmp_path / "pool.txt").write_text("He is there.\nThe quick brown fox jumped.\n")
    (tmp_path / "two.csv").write_text("template,count\n" + "".join(f"{each},1\n" for each in templates))
    asked = {"contexts": str(tmp_path / "two.csv"), "openings": str(tmp_path / "pool.txt"), "topic": "gender-2026"}
    out = str(tmp_path / "run")
    bvf.run(model=str(folder_of(family.name)), groups=groups, words=words, tolerance=0, out=out, **asked)
    read, plain = bvf.read_measurement(out, words=True), Plain(folder_of(family.name), family)
    contexts = [each.columns for each in read.record.asked.in_order]
    assert len(contexts) == 4
    for x, group in enumerate(read.record.asked.group_names):
        for c, of_context in enumerate(contexts):
            whole = f"{of_context['opening']} {of_context['template']}".replace("[X]", group)
            left, right = whole.split(" [Y]")
            ours = np.exp(read.word_logprobs[x, c])
            right = "" if family.kind == "causal" else right
            own = np.exp(plain.own_logprobs(left, right, tuple(read.record.asked.words)))
            assert ours / ours.sum() == pytest.approx(own / own.sum(), abs=1e-5)  # logs are up to a constant
