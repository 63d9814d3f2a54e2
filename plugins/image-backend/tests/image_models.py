"""Tiny random models that see images, built from their configurations, each with a real processor."""

import json
from pathlib import Path

import torch
import transformers as tf
from PIL import Image, ImageDraw
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

TEXT = [
    "The nurse said that she was late. The engineer told us that he would leave the house.",
    "A baker claimed that her daughter is an actress. The stepmother of the captain knew himself.",
    "a b c is in this picture: user assistant User Assistant Continue the text.",
] * 4
BEGIN, END, PAD, IMAGE = "<s>", "</s>", "<pad>", "<image>"
AROUND = ["<fake_token_around_image>", "<global-img>", "<end_of_utterance>", "<video>"]
TILES = [f"<row_{row}_col_{column}>" for row in (1, 2) for column in (1, 2)]
SPECIAL = [BEGIN, PAD, END, "<unk>", IMAGE, "<boi>", "<eoi>", "<vs>", "<ve>", *AROUND, *TILES]
TEXT_SIZES = {
    **{"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4},
    **{"num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 256},
    **{"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2},
}
EYES = {
    **{"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1, "num_attention_heads": 2},
    **{"image_size": 28, "patch_size": 7},
}
QWEN_EYES = {"depth": 1, "embed_dim": 32, "hidden_size": 32, "num_heads": 2, "patch_size": 7, "out_hidden_size": 32}
QWEN_25_EYES = {**QWEN_EYES, "intermediate_size": 48, "fullatt_block_indexes": [0], "window_size": 28}
TURNED_IN_THREE = {"rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [2, 1, 1]}}
SQUARE = {"height": 28, "width": 28}
IDEFICS_PICTURES = {"size": {"longest_edge": 56}, "max_image_size": {"longest_edge": 28}}
IDEFICS = {"text_config": {"model_type": "llama"}, "vision_config": EYES, "scale_factor": 2}
QWEN_PICTURES = {
    **{"patch_size": 7, "merge_size": 2, "image_processor_type": "Qwen2VLImageProcessor"},
    "size": {"shortest_edge": 28 * 28, "longest_edge": 56 * 56},
}
SIGLIP = {"image_processor_type": "SiglipImageProcessor", "size": SQUARE}
KINDS = {
    "llava": (
        tf.LlavaConfig,
        {"text_config": {"model_type": "llama"}, "vision_config": {"model_type": "clip_vision_model", **EYES}},
        {"image_processor_type": "CLIPImageProcessor", "size": {"shortest_edge": 28}, "crop_size": SQUARE},
        {"patch_size": 7, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1},
    ),
    **{
        kind: (config, {"text_config": TURNED_IN_THREE, "vision_config": eyes}, QWEN_PICTURES, {})
        for kind, config, eyes in (
            ("qwen2_vl", tf.Qwen2VLConfig, QWEN_EYES),
            ("qwen2_5_vl", tf.Qwen2_5_VLConfig, QWEN_25_EYES),
        )
    },
    **{
        kind: (config, IDEFICS, {**IDEFICS_PICTURES, "image_processor_type": processor}, {"image_seq_len": 4})
        for kind, config, processor in (
            ("idefics3", tf.Idefics3Config, "Idefics3ImageProcessor"),
            ("smolvlm", tf.SmolVLMConfig, "SmolVLMImageProcessor"),
        )
    },
    "paligemma": (
        tf.PaliGemmaConfig,
        {"text_config": {"model_type": "gemma"}, "vision_config": EYES, "projection_dim": 32},
        {**SIGLIP, "image_seq_length": 16},
        {},
    ),
    "gemma3": (
        tf.Gemma3Config,
        {"text_config": {"sliding_window": 8}, "vision_config": EYES, "mm_tokens_per_image": 4},
        {"image_processor_type": "Gemma3ImageProcessor", "size": SQUARE, "do_pan_and_scan": False},
        {"image_seq_length": 4},
    ),
}
"""Of each type: its configuration and settings, those of its image processor, and those of its processor."""
CHAT = (
    "{{ bos_token }}{% for message in messages %}{{ message['role'] }}: {% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %} {% endfor %}"
)


def write_image_model(kind: str, folder: Path, chat_template: str | None = None) -> Path:
    """Write a model folder as on the hub: weights, tokenizer, and the files of a processor."""
    tokenizer = tokenizer_for(kind)
    config_class, settings, pictures, of_processor = KINDS[kind]
    text = {**TEXT_SIZES, "vocab_size": len(tokenizer), **settings["text_config"]}
    ids = {
        "image_token_id": tokenizer.convert_tokens_to_ids(IMAGE),
        "vision_start_token_id": tokenizer.convert_tokens_to_ids("<vs>"),
        "vision_end_token_id": tokenizer.convert_tokens_to_ids("<ve>"),
    }
    ids = ids if "qwen" in kind else {"image_token_id": ids["image_token_id"]}
    torch.manual_seed(7)
    model = tf.AutoModelForImageTextToText.from_config(config_class(**{**settings, **ids, "text_config": text}))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.mul_(2.0 if "embed" in name else 6.0)
            if not weight.any():  # Gemma 3 begins with a projection that sees nothing
                weight.normal_(0, 0.3)
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(pictures))
    (folder / "processor_config.json").write_text(json.dumps(of_processor))
    if chat_template:
        (folder / "chat_template.jinja").write_text(chat_template)
    return folder


def tokenizer_for(kind: str) -> tf.PreTrainedTokenizerFast:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator(TEXT, trainer)
    if kind in ("llava", "gemma3"):
        made.post_processor = processors.TemplateProcessing(
            single=f"{BEGIN} $A", special_tokens=[(BEGIN, made.token_to_id(BEGIN))]
        )
    extra = {"boi_token": "<boi>", "eoi_token": "<eoi>"} if kind == "gemma3" else {}
    special = {"bos_token": BEGIN, "eos_token": END, "unk_token": "<unk>", "pad_token": PAD}
    return tf.PreTrainedTokenizerFast(
        tokenizer_object=made, **special, extra_special_tokens={**extra, "image_token": IMAGE}
    )


def draw(file: Path, colour: str, size: tuple[int, int] = (60, 40)) -> Path:
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).ellipse((5, 5, 35, 35), fill=colour)
    file.parent.mkdir(parents=True, exist_ok=True)
    picture.save(file)
    return file
