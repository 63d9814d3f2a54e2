"""What a model consists of."""

from dataclasses import dataclass
from typing import Any

from transformers import PreTrainedConfig, PreTrainedTokenizerBase


@dataclass(frozen=True)
class Parts:
    """A loaded model, in evaluation mode, with its tokenizer and configuration."""

    config: PreTrainedConfig
    tokenizer: PreTrainedTokenizerBase
    model: Any


def part_for_text(config: PreTrainedConfig) -> Any:
    """Return the configuration of the part that reads text, of a model that sees or hears as well."""
    return getattr(config, "text_config", None) or config
