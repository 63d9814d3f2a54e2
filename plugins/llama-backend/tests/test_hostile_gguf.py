"""GGUF files whose settings belong to other weights."""

import gguf_files
import pytest
from gguf_files import write_gguf

from bvf.errors import BvfError


@pytest.fixture
def write_changed(write_model, tmp_path, monkeypatch):
    """Write a GGUF file whose settings do not fit its weights."""

    def write(**settings):
        describe = gguf_files.describe

        def changed(writer, config):
            describe(writer, type(config)(**{**config.to_dict(), **settings}))

        monkeypatch.setattr(gguf_files, "describe", changed)
        return write_gguf(write_model("llama"), tmp_path / "tiny.gguf", "F32")

    return write


@pytest.mark.parametrize("layers", [0, 1, 3, 1_000_000])
def test_another_number_of_layers_than_the_weights_have_is_refused(write_changed, read, layers):
    with pytest.raises(BvfError):
        read(write_changed(num_hidden_layers=layers))


@pytest.mark.parametrize(
    "settings", [{"vocab_size": 10**9}, {"intermediate_size": 10**9}, {"num_key_value_heads": 10**9}]
)
def test_sizes_that_the_weights_have_not_are_refused(write_changed, read, settings):
    with pytest.raises(BvfError) as error:
        read(write_changed(**settings))
    assert "\n" not in error.value.message
