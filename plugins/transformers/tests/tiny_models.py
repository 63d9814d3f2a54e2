"""Writes a tiny random model of each family and a tokenizer of its type into a folder."""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
import transformers as tf
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from bvf import Prompt

TEXT = [
    "The nurse said that she was late.",
    "The engineer told us that he would leave the house.",
    "A baker claimed that her daughter is an actress, and his grandson an actor.",
    "It was known that the captain and the stepmother had to leave.",
    "He is there. She was here. They said so; nobody believed it!",
    "He himself and the quick brown fox jumped over a lazy dog of mine, vexing half a pack of wolves.",
] * 4
PROMPTS = [
    Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]"),
    Prompt("A baker claimed that it was known that", "", "baker", "..."),
]
WORDS = ["he", "she", "stepmother", "himself"]
COMMIT = "a" * 40
"""That of each model in a hub cache."""


@dataclass(frozen=True)
class Family:
    """How a family is built, and the special tokens that its tokenizer puts around a text."""

    name: str
    kind: str
    tokenizer: str
    before: int
    behind: int


FAMILIES = {
    family.name: family
    for family in (
        Family("bert", "masked", "wordpiece", 1, 1),
        Family("distilbert", "masked", "wordpiece", 1, 1),
        Family("roberta", "masked", "bytes-around", 1, 1),
        Family("albert", "masked", "unigram-around", 1, 1),
        Family("xlnet", "permutation", "unigram-behind", 0, 2),
        Family("gpt2", "causal", "bytes", 0, 0),
        Family("gpt_neo", "causal", "bytes", 0, 0),
        Family("gpt_neox", "causal", "bytes", 0, 0),
        Family("opt", "causal", "bytes-before", 1, 0),
        Family("llama", "causal", "unigram-before", 1, 0),
        Family("mistral", "causal", "unigram-before", 1, 0),
        Family("t5", "sentinel", "unigram-eos", 0, 1),
        Family("switch", "sentinel", "unigram-eos", 0, 1),
        Family("bart", "denoising", "bytes-around", 1, 1),
    )
}
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "<extra_id_0>", "<extra_id_1>", "<cls>", "<sep>"]
AROUND = {
    "bytes": "$A",
    "bytes-before": "</s> $A",
    "bytes-around": "<s> $A </s>",
    "unigram-around": "<cls> $A <sep>",
    "unigram-behind": "$A <sep> <cls>",
    "unigram-before": "<s> $A",
    "unigram-eos": "$A </s>",
}


def tokenizer_of(kind: str) -> tf.PreTrainedTokenizerFast:
    """Train a tokenizer on `TEXT`."""
    if kind == "wordpiece":
        return wordpiece()
    if kind.startswith("bytes"):
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(
            vocab_size=380, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
        )
    else:
        made = Tokenizer(models.Unigram())
        made.pre_tokenizer = pre_tokenizers.Metaspace()
        made.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=90, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False)
    made.train_from_iterator(TEXT, trainer)
    pairs = [(token, made.token_to_id(token)) for token in SPECIAL]
    if AROUND[kind] != "$A":
        made.post_processor = processors.TemplateProcessing(single=AROUND[kind], special_tokens=pairs)
    return tf.PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
        mask_token="<mask>",
        additional_special_tokens=["<extra_id_0>", "<extra_id_1>"],
    )


def wordpiece() -> tf.PreTrainedTokenizerFast:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        TEXT, trainers.WordPieceTrainer(vocab_size=120, special_tokens=special, show_progress=False)
    )
    pairs = [(token, made.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=pairs)
    return tf.PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def model_of(family: str, tokenizer: tf.PreTrainedTokenizerFast) -> tf.PreTrainedModel:
    """Build a model of two layers whose weights are so large that every position matters."""
    size = {"vocab_size": len(tokenizer)}
    ids = {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    heads = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    layers = {**heads, "intermediate_size": 48}
    gpt = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
    neo = {"hidden_size": 32, "num_layers": 2, "num_heads": 4, "window_size": 8}
    neo["attention_types"] = [[["global", "local"], 1]]
    opt = {**heads, "ffn_dim": 48, "word_embed_proj_dim": 32}
    distil = {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48, "max_position_embeddings": 64}
    t5 = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 1}
    sparse = {f"num_sparse_{side}_layers": 1 for side in ("encoder", "decoder")}
    switch = {**t5, "num_experts": 3, **sparse}
    bart = {
        **{f"{side}_layers": 2 for side in ("encoder", "decoder")},
        **{f"{side}_attention_heads": 4 for side in ("encoder", "decoder")},
        **{f"{side}_ffn_dim": 48 for side in ("encoder", "decoder")},
        "d_model": 32,
        "max_position_embeddings": 64,
        "decoder_start_token_id": tokenizer.eos_token_id,
    }
    short = {**layers, "max_position_embeddings": 64}
    built = {
        "bert": lambda: tf.BertForMaskedLM(tf.BertConfig(**size, **short)),
        "distilbert": lambda: tf.DistilBertForMaskedLM(tf.DistilBertConfig(**size, **distil)),
        "roberta": lambda: tf.RobertaForMaskedLM(tf.RobertaConfig(**size, **ids, **short)),
        "albert": lambda: tf.AlbertForMaskedLM(tf.AlbertConfig(**size, **short, embedding_size=16)),
        "xlnet": lambda: tf.XLNetLMHeadModel(tf.XLNetConfig(**size, d_model=32, n_layer=2, n_head=4, d_inner=48)),
        "gpt2": lambda: tf.GPT2LMHeadModel(tf.GPT2Config(**size, **ids, **gpt)),
        "gpt_neo": lambda: tf.GPTNeoForCausalLM(tf.GPTNeoConfig(**size, **ids, **neo, max_position_embeddings=64)),
        "gpt_neox": lambda: tf.GPTNeoXForCausalLM(tf.GPTNeoXConfig(**size, **ids, **short)),
        "opt": lambda: tf.OPTForCausalLM(tf.OPTConfig(**size, **ids, **opt, max_position_embeddings=64)),
        "llama": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**size, **ids, **short, num_key_value_heads=2)),
        "mistral": lambda: tf.MistralForCausalLM(
            tf.MistralConfig(**size, **ids, **short, num_key_value_heads=2, sliding_window=6)
        ),
        "t5": lambda: tf.T5ForConditionalGeneration(tf.T5Config(**size, **t5, pad_token_id=1, eos_token_id=2)),
        "switch": lambda: tf.SwitchTransformersForConditionalGeneration(
            tf.SwitchTransformersConfig(**size, **switch, pad_token_id=1, eos_token_id=2)
        ),
        "bart": lambda: tf.BartForConditionalGeneration(tf.BartConfig(**size, **ids, **bart)),
    }
    torch.manual_seed(11)
    model = built[family]()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.mul_(
                    1.3 if family in {"t5", "switch"} else 8.0 if "embed" not in name and "wte" not in name else 2.0
                )
            elif "bias" in name:
                weight.normal_(0, 0.3)
    return model.eval()


def write_family(family: str, folder: Path) -> Path:
    """Write a model folder as on the hub."""
    tokenizer = tokenizer_of(FAMILIES[family].tokenizer)
    model_of(family, tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


CUSTOM_CODE = """
import torch
from transformers import PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput


class OwnConfig(PretrainedConfig):
    model_type = "{model_type}"

    def __init__(self, vocab_size=10, width=16, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.width = vocab_size, width


class OwnModel(PreTrainedModel):
    config_class = OwnConfig

    def __init__(self, config):
        super().__init__(config)
        self.embed = torch.nn.Embedding(config.vocab_size, config.width)
        self.mix = torch.nn.GRU(config.width, config.width, batch_first=True)
        self.head = torch.nn.Linear(config.width, config.vocab_size, bias=False)
        self.post_init()

    def get_input_embeddings(self):
        return self.embed

    def get_output_embeddings(self):
        return self.head

    def forward(self, input_ids=None, past_key_values=None, use_cache=None, **kwargs):
        hidden, _ = self.mix(self.embed(input_ids))
        return CausalLMOutput(logits=self.head(hidden))
"""


def write_custom_code(folder: Path, model_type: str, offered_as: str) -> Path:
    """Write a causal model with its own code, like Baichuan and ChatGLM2."""
    import importlib.util

    folder.mkdir(parents=True)
    code = folder / "modeling_own.py"
    code.write_text(CUSTOM_CODE.format(model_type=model_type))
    spec = importlib.util.spec_from_file_location("modeling_own", code)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tokenizer = tokenizer_of("bytes")
    torch.manual_seed(3)
    module.OwnModel(module.OwnConfig(vocab_size=len(tokenizer))).eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoConfig": "modeling_own.OwnConfig", offered_as: "modeling_own.OwnModel"}
    (folder / "config.json").write_text(json.dumps(config))
    return folder
