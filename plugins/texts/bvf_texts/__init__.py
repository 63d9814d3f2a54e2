"""Generated texts, thoughts, and what is read from them: readers, and a judge whose error is counted."""

from typing import Any

from bvf import Provider, hookimpl

BVF_API = 1


@hookimpl
def bvf_readers() -> list[Provider[Any]]:
    home = "bvf_texts.readers"
    return [
        Provider("first-word", f"{home}.by_words:FirstWord.of", "the class of the first word of a class", default=True),
        Provider("share", f"{home}.by_words:MostWords.of", "the class with most words"),
        Provider("letter", f"{home}.by_letter:Letter", "the class of the chosen option, for contexts with [options]"),
        Provider("kept", f"{home}.as_kept:AsKept", "kept:DIGEST NAME: what a reader of a file read before"),
        Provider("judge", "bvf_texts.judge:Judge", "judge:FILE.toml: the class that another model finds"),
        Provider("pattern", f"{home}.by_pattern:Pattern", "pattern:FILE.toml: the class whose expression is found"),
    ]


@hookimpl
def bvf_answers() -> list[Provider[Any]]:
    return [
        Provider("generated", "bvf_texts.generated:Texts", "the texts that it generates"),
        Provider("thought", "bvf_texts.thought:AfterThoughts", "the probabilities after it has thought"),
    ]


@hookimpl
def bvf_functions() -> list[Provider[Any]]:
    return [Provider("Reader", "bvf_texts.reader:Reader", "what turns a text into a class")]
