"""CoNLL 2018 F1 of a packed pipeline: ``python evaluate.py zh FOLDER TREEBANKS --split test [--gold-tokens]``."""

import argparse
import json
import tempfile
from pathlib import Path

import stanza
import torch
from pipelines import LANGUAGES
from stanza.models.common.doc import Document
from stanza.utils.conll import CoNLL
from treebank import raw_text, read_treebank
from udtools.udeval import evaluate, load_conllu_file

METRICS = ("Tokens", "Sentences", "UPOS", "Lemmas", "UAS", "LAS")
TOO_LONG = "<UNK>"


def scores(code: str, folder: Path, gold: str, options: dict[str, object]) -> dict[str, float]:
    """Return F1 in percent by metric. ``options`` are passed to the pipeline."""
    pretokenized = "tokenize_pretokenized" in options
    pipeline = stanza.Pipeline(code, dir=str(folder), download_method=None, use_gpu=False, verbose=False, **options)
    with tempfile.TemporaryDirectory() as work:
        gold_file, system_file = Path(work, "gold.conllu"), Path(work, "system.conllu")
        gold_file.write_text(gold, "utf-8")
        document = CoNLL.conll2doc(str(gold_file)) if pretokenized else raw_text(gold, code)
        CoNLL.write_doc2conll(spelled_out(pipeline(document)), str(system_file))
        by_metric = evaluate(load_conllu_file(str(gold_file)), load_conllu_file(str(system_file)))
    return {metric: round(100 * by_metric[metric].f1, 2) for metric in METRICS}


def spelled_out(document: Document) -> Document:
    """Restore the text of words that Stanza replaces as too long, such as URLs."""
    for token in (token for sentence in document.sentences for token in sentence.tokens):
        if token.text == TOO_LONG and token.start_char is not None:
            token.text = document.text[token.start_char : token.end_char]
            for word in token.words:
                word.text = token.text
    return document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", type=Path, help="folder with LANG/{train,dev,test}.conllu.zst")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--gold-tokens", action="store_true")
    parser.add_argument("--jieba", action="store_true", help="jieba cuts the Chinese words")
    args = parser.parse_args()
    torch.set_num_threads(1)
    gold = read_treebank(args.treebanks, args.language, args.split)
    options: dict[str, object] = {}
    if args.gold_tokens:
        options["tokenize_pretokenized"] = True
        options["package"] = None  # or its mwt would be added
        language = LANGUAGES[args.language]
        options["processors"] = {name: "tiny" for name in language.processors if name != "mwt"} | language.given
    elif args.jieba:
        options["processors"] = {"tokenize": "jieba", "pos": "tiny", "lemma": "identity", "depparse": "tiny"}
    print(json.dumps(scores(args.language, args.folder, gold, options)))


if __name__ == "__main__":
    main()
