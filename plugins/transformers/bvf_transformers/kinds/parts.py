"""What a model consists of."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformers import PreTrainedConfig, PreTrainedTokenizerBase


@dataclass(frozen=True)
class Parts:
    """A loaded model, in evaluation mode, the files its weights are from, and what stands for its other files."""

    config: PreTrainedConfig
    tokenizer: PreTrainedTokenizerBase
    model: Any
    weights: list[Path]
    settings: str
