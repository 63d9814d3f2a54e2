"""Reference log p of every family, computed plainly: one prompt and one word at a time.

Shares no code with the plugin.
"""

from functools import cache

import numpy as np
import torch
import transformers as tf
from bvf_testing import own_probabilities
from helpers.plain_models import logprob_of_rest

CLASSES = {
    "masked": tf.AutoModelForMaskedLM,
    "causal": tf.AutoModelForCausalLM,
    "permutation": tf.XLNetLMHeadModel,
    "sentinel": tf.AutoModelForSeq2SeqLM,
    "denoising": tf.AutoModelForSeq2SeqLM,
}


class Plain:
    """A family's model and tokenizer, and the special tokens around its texts."""

    def __init__(self, folder, family, model_class=None):
        self.family = family
        self.tokenizer = tf.AutoTokenizer.from_pretrained(folder)
        self.model = (model_class or CLASSES[family.kind]).from_pretrained(folder, dtype=torch.float32).eval()

    def logprob(self, left, word, right):
        """Return log p of the word between the texts."""
        start, pieces, end = self.split(left, word, right)
        with torch.no_grad():
            return sum(
                float(getattr(self, self.family.kind)(start, pieces[:index], len(pieces), end).log_softmax(-1)[piece])
                for index, piece in enumerate(pieces)
            )

    @cache  # noqa: B019 - a test has few texts
    def own_logprobs(self, left, right, words):
        """Return log p of each word: of the texts that begin with it and with no longer one of the words."""
        begun = [self.logprob(left, word, right) for word in words]
        if self.family.kind in {"masked", "permutation"}:
            return np.array(begun)
        return np.log(own_probabilities(np.exp(begun), [self.split(left, word, right)[1] for word in words]))

    def split(self, left, word, right):
        """Split a filled text into token ids: left of the word, of the word, and right of it."""
        behind = self.family.behind
        text = f"{left} {word}"
        opened = self.tokenizer(left)["input_ids"]
        opened = opened[: len(opened) - behind]
        filled = self.tokenizer(text)["input_ids"]
        filled = filled[: len(filled) - behind]
        whole = self.tokenizer(text + right)["input_ids"]
        return opened, filled[len(opened) :], whole[len(filled) :]

    def causal(self, left, done, length, right):
        return self.model(input_ids=torch.tensor([[*left, *done]]), use_cache=False).logits[0, -1]

    def prefix(self, left, done, length, right):
        """Like `causal`, where a text is read in both directions and what follows is not."""
        read = self.model(input_ids=torch.tensor([left]), use_cache=True)
        for piece in done:
            name = "cache" if hasattr(read, "cache") else "past_key_values"
            read = self.model(input_ids=torch.tensor([[piece]]), use_cache=True, **{name: read[name]})
        return read.logits[0, -1]

    def masked(self, left, done, length, right):
        masks = [self.tokenizer.mask_token_id] * (length - len(done))
        logits = self.model(input_ids=torch.tensor([[*left, *done, *masks, *right]])).logits
        return logits[0, len(left) + len(done)]

    def permutation(self, left, done, length, right):
        masks = [self.tokenizer.mask_token_id] * (length - len(done))
        ids = torch.tensor([[*left, *done, *masks, *right]])
        size, slot = ids.shape[1], len(left) + len(done)
        hidden = torch.zeros(1, size, size)
        for position in range(slot, slot + len(masks)):
            hidden[0, :, position] = 1
        target = torch.zeros(1, 1, size)
        target[0, 0, slot] = 1
        return self.model(ids, perm_mask=hidden, target_mapping=target).logits[0, 0]

    def sentinel(self, left, done, length, right):
        gap = self.tokenizer.convert_tokens_to_ids("<extra_id_0>")
        encoder = torch.tensor([[*left, gap, *right]])
        decoder = torch.tensor([[self.model.config.decoder_start_token_id, gap, *done]])
        return self.model(input_ids=encoder, decoder_input_ids=decoder).logits[0, -1]

    def denoising(self, left, done, length, right):
        encoder = torch.tensor([[*left, self.tokenizer.mask_token_id, *right]])
        decoder = torch.tensor([[self.model.config.decoder_start_token_id, *left, *done]])
        return self.model(input_ids=encoder, decoder_input_ids=decoder).logits[0, -1]


def own_logprobs_after(model, text, words):
    """Log p of each word after a text, less p of the words that are the next longer ones, all given as ids."""
    begun = [np.exp(logprob_of_rest(model, [*text, *word], len(text))) for word in words]
    return np.log(own_probabilities(begun, words))
