"""Builds the smallest model of any type that the transformers library maps to a language model.

Every type has the sizes of `SIZES`, by the names of its settings, and layers of every sort. What else a type needs is
in ``smallest_models.toml``. The weights are so large that an answer depends on every token.
"""

import re
import tomllib
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

import torch
import transformers as tf
from transformers import CONFIG_MAPPING
from transformers.models.auto import modeling_auto

MAPPINGS = {
    "seq2seq": modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    "masked": modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    "causal": modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    "multimodal": modeling_auto.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
}
SETTINGS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
MORE = {name: settings for names, settings in SETTINGS["sizes"].items() for name in names.split()}
SIZES = {re.compile(name): size for name, size in SETTINGS["names"].items()}
MOST = 3_500_000
"""The most numbers of a model."""
WIDTH = 64
WIDE = re.compile("hidden|dim|size|width|d_model|n_embd|channels|d_ssm|d_state")
"""Names of settings that are `WIDTH`, if they are larger and `SIZES` has none."""
OFTEN_NONE = re.compile("token_id|^head_dim$")


@dataclass(frozen=True)
class Architecture:
    """A type of model as one of the library's classes: where the library first maps it, its type, and the class."""

    mapping: str
    type: str
    name: str

    def __str__(self):
        return f"{self.type}-{self.mapping}"

    @property
    def model_class(self):
        return getattr(tf, self.name)


def architectures():
    """Every architecture that the installed library maps to a language model, once."""
    first = {}
    for mapping, known in MAPPINGS.items():
        for each in known.items():
            first.setdefault(each, Architecture(mapping, *each))
    return list(first.values())


def smallest(architecture, **settings):
    """Build a model. Every part of it that has one of the settings has it so."""
    whole, own = CONFIG_MAPPING[architecture.type], architecture.model_class.config_class
    more = MORE.get(str(architecture), MORE.get(architecture.type, {}))
    config = config_of(own if own in parts_of(whole).values() else whole, more, settings)
    if architecture.mapping == "causal" and hasattr(config, "is_decoder"):
        config.is_decoder = True
    with torch.device("meta"):
        numbers = sum(each.numel() for each in architecture.model_class(config).parameters())
    if numbers > MOST:
        raise ValueError(f"{numbers:,} numbers")
    torch.manual_seed(1)
    model = architecture.model_class(config).eval()
    enlarge(model)
    return model


def config_of(config_class, more, settings):
    """A configuration in which every part is small. ``more`` has what its parts need beside the settings."""
    chosen = {**sizes_of(config_class, settings), **layers_of(config_class), **more}
    for name, part in parts_of(config_class).items():
        given = dict(chosen.get(name, {}))
        if "model_type" in given:
            part = CONFIG_MAPPING[given.pop("model_type")]
        elif part is tf.AutoConfig:
            part = type(getattr(config_class(), name))
        if is_dataclass(part):
            chosen[name] = config_of(part, given, settings)
    return config_class(**chosen)


def parts_of(config_class):
    """The configuration class of each part; ``AutoConfig`` where it may be of any type."""
    return getattr(config_class, "sub_configs", None) or {}


def sizes_of(config_class, settings):
    """The small sizes of a configuration, without those of its parts."""
    sizes = {each.name: each.default for each in fields(config_class)}
    small = {}
    for name, default in sizes.items():
        known = next((size for part, size in SIZES.items() if part.search(name)), None)
        is_size = isinstance(default, int) and not isinstance(default, bool)
        if is_size and known is None and default >= WIDTH and WIDE.search(name):
            small[name] = WIDTH
        elif known is not None and (is_size or (default is None and OFTEN_NONE.search(name))):
            small[name] = known
    if "kv_lora_rank" in sizes and "num_key_value_heads" in small:
        small["num_key_value_heads"] = small["num_attention_heads"]
    return {**small, **{name: value for name, value in settings.items() if name in sizes}}


def layers_of(config_class):
    """The settings that say of which sort each layer is, with two layers or more: one of each sort."""
    names = {each.name for each in fields(config_class)}
    if "num_hidden_layers" not in names:
        return {}
    default = config_class()
    sorts = {
        name: list(dict.fromkeys(value))
        for name, value in vars(default).items()
        if name in names and isinstance(value, list) and 0 < len(value) == default.num_hidden_layers
        if all(isinstance(each, str) for each in value)
    }
    most = max([2, *map(len, sorts.values())])
    return {name: [each[min(at, len(each) - 1)] for at in range(most)] for name, each in sorts.items()} | {
        "num_hidden_layers": most
    }


@torch.no_grad()
def enlarge(model):
    """Draw weights so large that every position matters."""
    for name, weight in model.named_parameters():
        if weight.dim() > 1 and weight.numel() and weight.is_floating_point():
            weight.normal_(0, 0.3 if "embed" in name else 1.5 * weight[0].numel() ** -0.5)
        elif "bias" in name:
            weight.normal_(0, 0.1)
