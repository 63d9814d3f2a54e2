"""GGUF files whose weights stay packed (`-B library=llama.cpp`). `make test-llama-cpp` has the library."""

import numpy as np
import pytest
from bvf_transformers.reading.packed import rows_of
from bvf_transformers.tokens.word_tree import tree_of
from chat_templates import LLAMA3
from gguf_files import write_gguf
from tiny_families import BUNDLED, refused

import bvf
from bvf.domain.generation import Generation
from bvf.errors import OutOfMemoryError
from bvf.interfaces.backend import Tolerance

TEXTS = ("The {} said that", "As a {} I know that", "It was clear that the {} knew where")
PACKED = {"library": "llama.cpp"}


@pytest.fixture(scope="module")
def prompts(topic):
    return [bvf.Prompt(text.format(group), "", group, text) for group in topic.groups[:25] for text in TEXTS]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packed")
    return {kind: write_gguf(BUNDLED, folder / f"tiny.{kind}.gguf", kind) for kind in ("F32", "Q8_0")}


@pytest.fixture(scope="module")
def llama_cpp():
    return pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed: make test-llama-cpp")


def test_a_missing_library_is_named_with_its_command_before_anything_is_loaded(files, read, describe, monkeypatch):
    monkeypatch.setattr("bvf_llama_backend.loading.find_spec", lambda name: None)
    for look in (read, describe):
        assert refused(look, files["Q8_0"], **PACKED) == (
            f"{files['Q8_0']}: -B library=llama.cpp needs llama-cpp-python, which is not installed | "
            "pip install 'bvf[llama-cpp]'   (pip compiles it, for some minutes)"
        )


def test_what_it_does_not_go_with_is_refused(files, read, monkeypatch):
    monkeypatch.setattr("bvf_llama_backend.loading.find_spec", lambda name: name)
    assert f"goes with a GGUF file, and {BUNDLED} is none" in refused(read, BUNDLED, **PACKED)
    assert "--dtype goes with weights that are unpacked" in refused(read, files["Q8_0"], dtype="float32", **PACKED)
    assert 'library is "vllm"' in refused(read, files["Q8_0"], library="vllm")
    monkeypatch.setattr("bvf_llama_backend.loading.free_bytes", lambda device: 1000)
    with pytest.raises(OutOfMemoryError, match=r"the packed weights need 0\.0 GB, and 0\.0 GB are free"):
        read(files["Q8_0"], **PACKED)


def test_it_is_part_of_the_identity(files, describe, monkeypatch):
    monkeypatch.setattr("bvf_llama_backend.loading.find_spec", lambda name: name)
    packed, unpacked = describe(files["Q8_0"], **PACKED), describe(files["Q8_0"])
    assert packed.read_as == "CausalModel, by llama.cpp from packed weights"
    assert packed.weights != unpacked.weights
    assert packed.libraries == (*unpacked.libraries, "llama-cpp-python")
    assert packed.memory == files["Q8_0"].stat().st_size < unpacked.memory


@pytest.mark.parametrize("small", [False, True])
def test_floats_give_the_probabilities_of_the_folder(llama_cpp, files, read, prompts, words, monkeypatch, small):
    """Also where texts and beginnings of words are read in many small parts, and the ends of words are asked for."""
    if small:
        monkeypatch.setattr("bvf_llama_backend.packed.models.TEXTS", 7)
        monkeypatch.setattr("bvf_llama_backend.packed.models.BRANCHES", 9)
        prompts = prompts[:8]
    expected = read(BUNDLED, word_boundary=small).word_logprobs(prompts, words)
    logp = read(files["F32"], word_boundary=small, **PACKED).word_logprobs(prompts, words)
    assert np.abs(logp - expected).max() < 1e-4


def test_a_beginning_is_read_with_what_it_begins_with_though_only_its_own_pieces_are_asked(
    llama_cpp, files, read, prompts, words
):
    from bvf_llama_backend.packed.models import WordsAfterTexts

    backend = read(files["F32"], **PACKED)
    cuts = [cut for cut in backend.cut(prompts, words) if cut.slot is backend.cut(prompts[:1], words)[0].slot][:5]
    pieces = tree_of(cuts[0].slot.pieces)
    after = WordsAfterTexts(backend.model, rows_of([cut.left for cut in cuts]), pieces, None)
    chosen = np.tile(pieces.lengths == pieces.lengths.max(), (len(cuts), 1))
    alone, all_of_them = after.answers(chosen), after.answers(np.ones_like(chosen))
    is_answered = np.isfinite(alone)
    assert pieces.lengths.max() > 1
    assert is_answered.any(axis=1).all()
    assert alone[is_answered] == pytest.approx(all_of_them[is_answered], abs=1e-4)


def test_eight_bits_give_what_the_library_gives_for_each_text_alone(llama_cpp, files, read, prompts):
    backend = read(files["Q8_0"], **PACKED)
    plain = llama_cpp.Llama(
        str(files["Q8_0"]), n_ctx=64, logits_all=True, type_k=0, type_v=0, flash_attn=False, n_threads=1, verbose=False
    )
    he, she = (backend.tokenizer(f" {word}", add_special_tokens=False)["input_ids"][0] for word in ("he", "she"))
    for prompt in prompts[::15]:
        ids = backend.token_ids(prompt, "he")
        plain.reset()
        plain.eval(ids)
        logits = plain.scores[len(ids) - 1].astype(np.float64)
        expected = logits[[he, she]] - np.log(np.exp(logits).sum())
        assert backend.word_logprobs([prompt], ["he", "she"])[0] == pytest.approx(expected, abs=1e-4)
    plain.close()


def test_words_are_left_out_within_the_tolerance(llama_cpp, files, read, prompts, words):
    backend, classes = read(files["F32"], **PACKED), np.arange(len(words)) % 2
    exact = backend.answers(prompts, words, classes, Tolerance.on_each(0.0, len(prompts)))
    within = backend.answers(prompts, words, classes, Tolerance.on_each(1e-4, len(prompts)))

    def shares(logp):
        p = np.exp(logp)
        return p[:, classes == 0].sum(axis=1) / p.sum(axis=1)

    assert (np.abs(shares(within.logp) - shares(exact.logp)) <= within.bounds + 1e-4).all()
    assert 0 < within.bounds.max() < 1e-3
    assert any("llama.cpp from packed weights" in remark for remark in within.remarks)


def test_texts_are_those_of_the_folder_whatever_else_is_written(llama_cpp, files, read, prompts):
    packed, folder = read(files["F32"], **PACKED), read(BUNDLED)
    for samples, temperature in ((3, 1.0), (1, 0.0)):
        generation = Generation(samples=samples, tokens=12, temperature=temperature, seed=0)
        written = packed.texts(prompts[:40], generation)
        assert written == folder.texts(prompts[:40], generation)
        assert packed.texts(prompts[1:2], generation) == written[1:2]


def test_chats_and_groups_right_of_the_slot(llama_cpp, write_model, read, topic, words, tmp_path):
    folder = write_model("llama", chat_template=LLAMA3)
    file = write_gguf(folder, tmp_path / "chat.gguf", "F32")
    prompts = [bvf.Prompt(f"The {group} said that", "", group, TEXTS[0]) for group in topic.groups[:5]]
    for turn in ("user", "assistant"):
        one, other = (read(file, chat_turn=turn, **more) for more in (PACKED, {}))
        assert one.token_ids(prompts[0], "she") == other.token_ids(prompts[0], "she")
        assert np.abs(one.word_logprobs(prompts, words) - other.word_logprobs(prompts, words)).max() < 1e-4
    right = [bvf.Prompt("The", f" {group} said so.", group, "The [Y] [X] said so.") for group in topic.groups[:5]]
    masses = [read(file, **more).word_mass(right, ["young", "old"], np.array([0, 1]), 0.0) for more in (PACKED, {})]
    assert masses[0] == pytest.approx(masses[1], abs=1e-4)


def test_what_llama_cpp_cannot_read_is_one_line(llama_cpp, read, tmp_path):
    file = write_gguf(BUNDLED, tmp_path / "tomorrow.gguf", "F32", split_by="tomorrow")
    line = refused(read, file, tokenizer=str(BUNDLED), **PACKED)
    assert "llama.cpp cannot read it: " in line
    assert "tomorrow" in line


def test_a_recurrent_model_is_refused(llama_cpp, files, read, monkeypatch):
    monkeypatch.setattr(llama_cpp, "llama_model_is_hybrid", lambda model: True)
    assert "llama.cpp keeps no keys and values of a recurrent model" in refused(read, files["F32"], **PACKED)
