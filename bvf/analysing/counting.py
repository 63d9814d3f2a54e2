"""Which of the words that were asked for count."""

from collections.abc import Mapping

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked, Measurement
from bvf.errors import BvfError
from bvf.stats.probabilities import class_probabilities


def counted(asked: Asked, measurement: Measurement, words: Mapping[str, tuple[str, ...]]) -> tuple[Asked, FloatArray]:
    """Return the questions and p(y | x, c) with only the words that count.

    Raises:
        BvfError: Words are named that were not asked, or probabilities of single words are needed but were not kept.
    """
    asked_words = {attribute.name: attribute.words for attribute in asked.attributes}
    wanted = {**asked_words, **words}
    if {name: set(listed) for name, listed in wanted.items()} == {
        name: set(listed) for name, listed in asked_words.items()
    }:
        return asked, measurement.probabilities
    for name, counted in words.items():
        if name not in asked_words:
            raise BvfError(f'topic {asked.topic} has no class "{name}"', f"its classes are {', '.join(asked_words)}")
        for word in counted:
            if word not in asked_words[name]:
                raise BvfError(
                    f'--words: "{word}" was not asked for {name}', f"words of {name} are {', '.join(asked_words[name])}"
                )
    if measurement.word_logprobs is None:
        raise BvfError(
            "--words: this measurement keeps probabilities of classes alone, not of words",
            "measure again with --keep-words",
        )
    counts = np.array([word in wanted[name] for name, listed in asked_words.items() for word in listed])
    logp = measurement.word_logprobs[..., counts]
    p = class_probabilities(logp.reshape(-1, logp.shape[-1]), asked.class_of_word[counts], len(asked_words))
    fewer = tuple(attribute.model_copy(update={"words": wanted[attribute.name]}) for attribute in asked.attributes)
    return asked.model_copy(update={"attributes": fewer}), p.reshape(measurement.probabilities.shape)
