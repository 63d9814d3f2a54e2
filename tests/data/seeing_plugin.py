"""A backend that looks at images, for tests of contexts that have some: it answers from their bytes."""

import hashlib
from pathlib import Path

import numpy as np

from bvf import Backend, Capabilities, Provider, hookimpl


class Seeing(Backend):
    capabilities = Capabilities(media=frozenset({"image"}))

    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        return np.array([[self.logp(prompt, word) for word in words] for prompt in prompts])

    def logp(self, prompt, word):
        shown = b"".join(Path(each.file).read_bytes() for each in prompt.media)
        digest = hashlib.sha256(f"{prompt}|{word}".encode() + shown).digest()
        return -4.0 - 4.0 * digest[0] / 255


@hookimpl
def bvf_backends():
    return [Provider("seeing", Seeing, "answers by hashing what it sees")]
