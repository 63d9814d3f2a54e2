"""Parts of the fast computation, each compared with the plain one."""

import numpy as np
import pytest
import torch
from bvf_transformers.loading.fit import check_memory
from bvf_transformers.reading.readout import Head, fuse_activations, linear, onednn_is_faster, speed_up_products
from bvf_transformers.tokens.word_tree import BOUNDARY, log_softmax_at
from torch import nn
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM
from transformers.activations import NewGELUActivation
from transformers.pytorch_utils import Conv1D

import bvf
from bvf import BvfError
from bvf.errors import OutOfMemoryError


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("step", [1, 7, 1000])
def test_a_head_gives_the_softmax_without_all_of_it_at_a_time(bias, step, monkeypatch):
    monkeypatch.setattr("bvf_transformers.reading.readout.TOKENS_AT_A_TIME", {"cpu": step})
    torch.manual_seed(0)
    linear = nn.Linear(6, 40, bias=bias)
    states, boundary = torch.randn(5, 6) * 4, torch.tensor([3, 8, 39])
    rows, tokens = torch.tensor([0, 0, 4, 2, 2]), torch.tensor([7, BOUNDARY, 39, 0, BOUNDARY])
    with torch.inference_mode():
        logp = linear(states).log_softmax(-1)
        ends = logp[:, boundary].exp().sum(-1).log()
        expected = torch.stack([logp[0, 7], ends[0], logp[4, 39], logp[2, 0], ends[2]]).tolist()
        head = Head(linear)
        assert head.log_softmax_at(states, rows, tokens, boundary).tolist() == pytest.approx(expected, abs=1e-5)
        assert torch.allclose(head.logits(states, tokens[[0, 2]]), linear(states)[:, [7, 39]], atol=1e-5)
        whole = log_softmax_at(linear(states), rows, tokens, boundary)
        assert whole.tolist() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_a_head_may_forbid_tokens(step, monkeypatch):
    monkeypatch.setattr("bvf_transformers.reading.readout.TOKENS_AT_A_TIME", {"cpu": step})
    torch.manual_seed(0)
    linear = nn.Linear(6, 40)
    states, rows, tokens = torch.randn(5, 6) * 4, torch.arange(5), torch.tensor([7, 0, 22, 39, 5])
    with torch.inference_mode():
        linear.bias[[0, *range(14, 21)]] = -torch.inf
        expected = linear(states).log_softmax(-1)[rows, tokens].tolist()
        assert Head(linear).log_softmax_at(states, rows, tokens, None).tolist() == pytest.approx(expected, abs=1e-5)


def test_rounding_in_16_bits_makes_no_token_more_than_certain():
    torch.manual_seed(0)
    linear, certain = nn.Linear(256, 500, bias=False).to(torch.bfloat16), torch.arange(64)
    with torch.inference_mode():
        rows = linear.weight[certain]
        states = 32 * rows / rows.norm(dim=1, keepdim=True) ** 2
        logp = Head(linear).log_softmax_at(states, certain, certain, None)
    assert -0.2 < logp.min() < logp.max() <= 0


def test_an_activation_in_many_steps_becomes_one_only_where_it_is_the_same():
    class Other(NewGELUActivation):
        def forward(self, values):
            return super().forward(values) + 0.01

    model = nn.Sequential(nn.Linear(3, 3), NewGELUActivation(), Other(), nn.Tanh())
    values = torch.randn(100, 3)
    before = model(values)
    fuse_activations(model)
    assert [type(layer).__name__ for layer in model] == ["Linear", "GELU", "Other", "Tanh"]
    assert torch.allclose(model(values), before, atol=1e-5)


@pytest.fixture
def with_onednn(monkeypatch):
    if not torch.backends.mkldnn.is_available():
        pytest.skip("this build of torch has no oneDNN")
    monkeypatch.setattr("bvf_transformers.reading.readout.onednn_is_faster", lambda: True)
    monkeypatch.setattr("bvf_transformers.reading.readout.WORTH_A_KERNEL", 0)


@pytest.mark.parametrize("shape", [(5, 6), (2, 3, 6), (0, 6), (6,)])
@pytest.mark.parametrize("bias", [True, False])
def test_products_by_onednn_are_the_same(with_onednn, shape, bias):
    torch.manual_seed(0)
    states, weight, added = torch.randn(*shape), torch.randn(4, 6), torch.randn(4) if bias else None
    with torch.inference_mode():
        expected = nn.functional.linear(states, weight, added)
        assert torch.allclose(linear(states, weight, added), expected, atol=1e-6)
        assert torch.allclose(linear(states, weight.t().contiguous().t(), added), expected, atol=1e-6)
        assert torch.equal(linear(states.double(), weight.double(), None), states.double() @ weight.double().t())


def test_small_products_are_torchs_own(with_onednn, monkeypatch):
    asked = []
    monkeypatch.setattr("bvf_transformers.reading.readout._by_onednn", lambda *given: asked.append(given))
    monkeypatch.setattr("bvf_transformers.reading.readout.WORTH_A_KERNEL", 5 * 6 * 4)
    weight = torch.randn(4, 6)
    for rows in (4, 5):
        linear(torch.randn(rows, 6), weight, None)
    assert [len(states) for states, _, _ in asked] == [5]


def test_only_plain_layers_in_float32_get_other_products(with_onednn):
    class Doubled(nn.Linear):
        def forward(self, states):
            return 2 * super().forward(states)

    torch.manual_seed(0)
    layers = [nn.Linear(6, 6), Doubled(6, 6), Conv1D(6, 6), nn.Linear(6, 6, bias=False).bfloat16()]
    states = torch.randn(3, 6)
    with torch.inference_mode():
        expected = [layer(states.to(layer.weight.dtype)) for layer in layers]
        speed_up_products(nn.ModuleList(layers))
        assert ["forward" in vars(layer) for layer in layers] == [True, False, True, False]
        for layer, values in zip(layers, expected, strict=True):
            assert torch.allclose(layer(states.to(layer.weight.dtype)), values, atol=1e-6)


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert"])
def test_whole_models_with_other_products_give_the_same_logits(with_onednn, folder_of, load_model, name):
    kind = AutoModelForMaskedLM if name == "bert" else AutoModelForCausalLM
    plain, fast = kind.from_pretrained(folder_of(name)).eval(), load_model(folder_of(name)).model
    assert any("forward" in vars(layer) for layer in fast.modules())
    ids = torch.randint(3, 60, (3, 7))
    with torch.inference_mode():
        assert torch.allclose(fast(input_ids=ids).logits, plain(input_ids=ids).logits, atol=1e-4)


@pytest.mark.parametrize(
    ("vendor", "capability", "is_taken"),
    [
        ("AuthenticAMD", "AVX512", True),
        ("AuthenticAMD", "AVX2", False),
        ("GenuineIntel", "AVX512", False),
        (None, "AVX512", False),
    ],
)
def test_onednn_is_taken_where_mkl_leaves_the_widest_vectors_unused(
    vendor, capability, is_taken, tmp_path, monkeypatch
):
    cpuinfo = tmp_path / "cpuinfo"
    if vendor:
        cpuinfo.write_text(f"processor\t: 0\nvendor_id\t: {vendor}\nflags\t\t: avx512f\n")
    monkeypatch.setattr("bvf_transformers.reading.readout.CPUINFO", cpuinfo)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    assert onednn_is_faster.__wrapped__() is (is_taken and torch.backends.mkldnn.is_available())


def test_weights_that_do_not_fit_the_memory_are_refused_before_they_are_read(
    folder_of, load_model, tmp_path, monkeypatch
):
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9 kB\nMemAvailable:      40 kB\n")
    monkeypatch.setattr("bvf.files.machine.MEMINFO", meminfo)
    with pytest.raises(BvfError, match=r"the weights need .* GB as float32, and 0\.0 GB are free") as error:
        load_model(folder_of("gpt2"))
    assert "--dtype bfloat16" in error.value.hint
    meminfo.write_text("MemAvailable:    999999 kB\n")
    assert load_model(folder_of("gpt2"))


def test_memory_that_runs_out_while_weights_are_read_is_said_as_such(folder_of, load_model, monkeypatch):
    def refuse(*args, **options):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    monkeypatch.setattr("transformers.PreTrainedModel.from_pretrained", refuse)
    with pytest.raises(OutOfMemoryError, match="the weights cannot be loaded: CUDA out of memory") as error:
        load_model(folder_of("gpt2"))
    assert "--dtype bfloat16" in error.value.hint


def test_where_the_memory_is_not_known_nothing_is_refused(folder_of, tmp_path, monkeypatch):
    monkeypatch.setattr("bvf.files.machine.MEMINFO", tmp_path / "none")
    check_memory([folder_of("gpt2") / "model.safetensors"], "gpt2", torch.device("cpu"), torch.float32)


def test_precision_is_compared_only_where_float32_fits(folder_of, tmp_path, monkeypatch):
    meminfo = tmp_path / "meminfo"
    size = sum(p.stat().st_size for p in folder_of("gpt2").glob("*.safetensors"))
    meminfo.write_text(f"MemAvailable: {size * 3 // 4 // 1024} kB\n")  # room for halves
    monkeypatch.setattr("bvf.files.machine.MEMINFO", meminfo)
    config = bvf.RunConfig(
        model=str(folder_of("gpt2")), dtype="bfloat16", limit_groups=2, words={"male": ("he",), "female": ("she",)},
        limit_contexts=2, contexts="gender-table8", openings="none", out=str(tmp_path / "out"),
    )  # fmt: skip
    result = bvf.run(config)
    assert not any("float32" in note for note in result.notes)
    assert np.isfinite(result.R)
