"""Stanza (https://stanfordnlp.github.io/stanza) as the parser: its documents become `Sentence` trees."""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf import BvfError, Share
from bvf.files import is_file
from bvf.interfaces import Span
from bvf_stanza.tree import ROOT, Parser, Sentence, Word

DEFAULT = "default"
COREF = "coref"
TEXTS_AT_A_TIME = 400


class StanzaParser(Parser):
    """A pipeline of Stanza.

    Args:
        language: Stanza's code of the language: ``en``, ``zh``.
        folder: The folder of its models; ``default``: Stanza's own, downloaded when they are missing.
        processors: Names of the processors, in the order in which they run.
        share: Has the number of threads for loading and parsing.

    Raises:
        BvfError: A library is not installed, or the models are missing or damaged; names the command that installs it.
    """

    def __init__(
        self, language: str, folder: Path | str, processors: Sequence[str], share: Share | None = None
    ) -> None:
        self._threads = share.threads if share else 0
        with _threads(self._threads):
            self._pipeline = _pipeline(language, folder, processors)
        self._reads_together = COREF not in processors  # faster, but coref would link texts
        self.models = _described(language, folder)

    def parse(self, texts: Sequence[str], /) -> list[list[Sentence]]:
        """Return the sentences of each text."""
        from stanza import Document

        sentences: list[list[Sentence]] = []
        with _threads(self._threads), _cheaper_trees():
            for start in range(0, len(texts), TEXTS_AT_A_TIME):
                documents = [Document([], text=text) for text in texts[start : start + TEXTS_AT_A_TIME]]
                if self._reads_together:
                    read = self._pipeline.bulk_process(documents)
                else:
                    read = [self._pipeline(document) for document in documents]
                sentences += [[_sentence(parsed, document) for parsed in document.sentences] for document in read]
        return sentences


def _pipeline(language: str, folder: Path | str, processors: Sequence[str]) -> Any:
    try:
        import stanza
    except ImportError as error:
        raise BvfError("mining needs stanza, which is not installed", "pip install 'bvf[mining]'") from error
    if COREF in processors and find_spec("peft") is None:
        raise BvfError("-M coref=stanza needs peft, which is not installed", "pip install 'bvf[coref]'")
    logging.getLogger("stanza").setLevel(logging.ERROR)
    is_default = str(folder) == DEFAULT
    place: dict[str, Any] = {} if is_default else {"dir": os.fspath(folder), "download_method": None}
    model_dir = "" if is_default else f", model_dir='{folder}'"
    download = f"python -c \"import stanza; stanza.download('{language}'{model_dir})\""
    if not is_default and not is_file(Path(folder) / "resources.json"):
        raise BvfError(f"-M stanza={folder}: no resources.json there, so no models of Stanza", download)
    names = ",".join(processors)
    try:
        return stanza.Pipeline(
            language, processors=names, use_gpu=False, verbose=False, lemma_store_results=True, **place
        )
    except Exception as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise BvfError(f"-M stanza={folder}: the {language} models cannot be loaded: {first}", download) from error


def _described(language: str, folder: Path | str) -> str:
    """A text that identifies the models: a name, and a digest of their files. Stanza's own models have no digest."""
    if str(folder) == DEFAULT:
        return f"Stanza's default models ({language})"
    digest = blake2b(digest_size=8)
    for file in sorted((Path(folder) / language).rglob("*.pt")):
        digest.update(file.read_bytes())
    return f"{Path(folder).name}/{language} {digest.hexdigest()}"


def _sentence(parsed: Any, document: Any) -> Sentence:
    chains = _chains(parsed, document)
    token_words = [(token, word) for token in parsed.tokens for word in token.words]
    return Sentence(
        tuple(
            Word(
                text=word.text,
                lemma=word.lemma or word.text,
                tag=word.upos or "X",
                features=frozenset((word.feats or "").split("|")) - {"", "_"},
                head=word.head - 1 if word.head else ROOT,
                relation=word.deprel or "dep",
                span=Span(token.start_char, token.end_char),
                chains=chains.get(index, frozenset()),
            )
            for index, (token, word) in enumerate(token_words)
        )
    )


def _chains(parsed: Any, document: Any) -> dict[int, frozenset[int]]:
    """The coreference chains of each word of a sentence that is in a mention. Empty without the coref processor."""
    chains_of_word: dict[int, set[int]] = {}
    for chain in getattr(document, "coref", None) or []:
        for mention in chain.mentions:
            if mention.sentence == parsed.index and isinstance(mention.start_word, int):
                for index in range(mention.start_word, mention.end_word):
                    chains_of_word.setdefault(index, set()).add(chain.index)
    return {index: frozenset(chains) for index, chains in chains_of_word.items()}


@contextmanager
def _threads(number: int) -> Iterator[None]:
    """Limit torch to a number of threads while the block runs. 0 changes nothing."""
    if not number or find_spec("torch") is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _cheaper_trees() -> Iterator[None]:
    """Let Stanza find the tree of each sentence by `best_heads` while the block runs."""
    from stanza.models.depparse import model

    search = model.chuliu_edmonds_one_root
    model.chuliu_edmonds_one_root = best_heads
    try:
        yield
    finally:
        model.chuliu_edmonds_one_root = search


def best_heads(scores: NDArray[Any]) -> NDArray[np.intp]:
    """Return each word's head in the maximum spanning tree with one root, shape (N + 1,). 0 is the root.

    Stanza's own search gives the same tree; cheaper ways are tried first: the best heads of all words often
    form a tree already, and the best tree with any number of roots mostly has one. Stanza's search makes roots so
    costly that it contracts cycles word by word, in pure Python.

    Args:
        scores: Entry [i, j] is log P of word j as the head of word i, shape (N + 1, N + 1); 0 is the root.
    """
    from stanza.models.common.chuliu_edmonds import chuliu_edmonds, chuliu_edmonds_one_root

    heads = greedy_heads(scores)
    if heads is None:
        heads = np.asarray(chuliu_edmonds(scores.astype(np.float64)))
    return heads if np.count_nonzero(heads[1:] == 0) == 1 else np.asarray(chuliu_edmonds_one_root(scores))


def greedy_heads(scores: NDArray[Any]) -> NDArray[np.intp] | None:
    """Return the best head of each word; None unless these form a tree with one root. That tree is then the best.

    Args:
        scores: Entry [i, j] scores word j as the head of word i, shape (N + 1, N + 1); 0 is the root.
    """
    masked = scores.astype(np.float64)
    np.fill_diagonal(masked, -np.inf)
    heads: NDArray[np.intp] = masked.argmax(axis=1)
    heads[0] = 0
    if np.count_nonzero(heads[1:] == 0) != 1:
        return None
    above = heads
    for _ in range(len(heads).bit_length()):
        above = above[above]
    return None if above.any() else heads
