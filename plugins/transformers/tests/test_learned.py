"""What checks of a model found is used again: for the same weights, options, code and device, and nothing else."""

import numpy as np
import pytest
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.tokens.cutting import Cut, Slot

SHORT, LONG = [(5, 6, 7), (5, 6, 8)], [(5, 6, 7, 8, 9, 10, 11, 12)]
WORDS = Slot(((4,), (4, 5), (6, 7)))


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """The folder of the cache; tests of models have none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "bvf" / "models"


@pytest.fixture
def read(load_model, kept):
    """Load a model and score words after texts; return the calls of the model, and log p."""

    def call(folder, texts=SHORT, **options):
        calls = []
        with pytest.MonkeyPatch.context() as patched:
            for name in ("_run", "_run_tree"):
                real = getattr(CausalModel, name)
                patched.setattr(CausalModel, name, lambda *given, real=real: calls.append(1) or real(*given))
            backend = load_model(folder, **options)
            logp = backend.cut_logprobs([Cut(text, (), WORDS) for text in texts], absolute=True)
        return len(calls), logp

    return call


def test_what_was_checked_is_not_checked_again_and_the_answers_are_the_same(read, folder_of, kept):
    first, logp = read(folder_of("llama"))
    again, same = read(folder_of("llama"))
    assert len(list(kept.iterdir())) == 1
    assert again <= first - 10  # direction, head, cache, and the texts that are read in two ways
    assert np.array_equal(logp, same)


def test_a_longer_text_is_checked_once(read, folder_of):
    read(folder_of("llama"))
    first, again, fewer = (read(folder_of("llama"), texts)[0] for texts in (LONG, LONG, SHORT))
    assert again == fewer < first


def test_other_weights_of_equal_header_and_size_are_checked(read, copy_of):
    folder = copy_of("llama")
    first, _ = read(folder)
    weights = folder / "model.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[:-4] + bytes(4))
    assert weights.stat().st_size == len(content)
    assert read(folder)[0] == first


def test_other_options_libraries_and_devices_are_checked(read, folder_of, monkeypatch):
    first, _ = read(folder_of("llama"))
    assert read(folder_of("llama"), dtype="bfloat16")[0] >= first
    monkeypatch.setattr("bvf_transformers.learned.version", lambda _: "0")
    assert read(folder_of("llama"))[0] == first
    monkeypatch.setattr("bvf_transformers.loading.load.device_name", lambda _: "another")
    assert read(folder_of("llama"))[0] == first


def test_without_a_cache_nothing_is_kept_or_used(read, folder_of, kept):
    first, _ = read(folder_of("llama"), no_cache=True)
    assert not kept.exists()
    read(folder_of("llama"))
    assert read(folder_of("llama"), no_cache=True)[0] == first


def test_what_fails_or_cannot_be_kept_is_found_out_in_each_run(read, folder_of, kept, monkeypatch):
    kept.parent.parent.write_text("")
    assert read(folder_of("llama"))[0] == read(folder_of("llama"))[0]
    kept.parent.parent.unlink()
    monkeypatch.setattr(CausalModel, "_tree_agrees", lambda *_: False)
    first, _ = read(folder_of("llama"))
    assert not kept.exists()
    assert read(folder_of("llama"))[0] == first


@pytest.mark.parametrize("content", [b"", b'{"cached": 3}', b'{"shortcuts": [true, true, true], "cached": -1}'])
def test_a_damaged_file_is_found_out_anew(read, folder_of, kept, content):
    first, _ = read(folder_of("llama"))
    (file,) = kept.iterdir()
    file.write_bytes(content)
    assert read(folder_of("llama"))[0] == first
    assert read(folder_of("llama"))[0] < first
