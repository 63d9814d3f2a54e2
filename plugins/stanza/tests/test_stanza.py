"""The Stanza parser: the faster tree search finds Stanza's trees. Folders without models give one-line errors."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from bvf_stanza.options import StanzaOptions
from bvf_stanza.stanza import StanzaParser, best_heads, greedy_heads
from hypothesis import given
from hypothesis import strategies as st

from bvf.errors import BvfError
from bvf.hooks.loader import load
from bvf.interfaces.engine import Share
from bvf.interfaces.miner import Document, MiningRequest

stanza = pytest.importorskip("stanza")


def as_of_the_parser(seed, size, *, chained=0.0, rooted=0.0):
    """Log-probabilities of each word's head, as Stanza's parser has them; its search fails where some are above 0."""
    scores = np.random.default_rng(seed).normal(size=(size, size)) + chained * np.eye(size, k=-1)
    scores[:, 0] += rooted
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


@given(st.integers(0, 10_000), st.integers(2, 20), st.sampled_from([0.0, 1.0, 3.0]), st.sampled_from([0.0, 2.0]))
def test_the_cheaper_ways_find_the_tree_of_stanza(seed, size, chained, rooted):
    from stanza.models.common.chuliu_edmonds import chuliu_edmonds_one_root

    scores = as_of_the_parser(seed, size, chained=chained, rooted=rooted)
    assert list(best_heads(scores.copy())) == list(chuliu_edmonds_one_root(scores.copy()))


def test_the_shortcut_is_taken_often_enough_to_be_tested():
    rng = np.random.default_rng(0)
    taken = [greedy_heads(rng.normal(size=(5, 5)) + 3 * np.eye(5, k=-1)) is not None for _ in range(200)]
    assert 20 < sum(taken) < 200


def test_a_folder_without_models_is_one_line_with_the_command_that_mends_it(tmp_path):
    with pytest.raises(BvfError, match=r"no resources\.json there") as caught:
        StanzaParser("en", tmp_path, ("tokenize",))
    assert "stanza.download('en'" in caught.value.hint


def test_models_of_another_language_are_one_line(tmp_path):
    (tmp_path / "resources.json").write_text('{"xx": {"packages": {}}}')
    with pytest.raises(BvfError, match="the en models cannot be loaded"):
        StanzaParser("en", tmp_path, ("tokenize",))


TEXT = "The nurse said that she was tired. The doctor told the nurse that he knew it."


@pytest.fixture(scope="module")
def with_coref(tmp_path_factory):
    """The bundled pipeline with a coreference model of random weights."""
    pytest.importorskip("peft", reason="Stanza's coref processor needs peft")
    from stanza.models.coref.config import Config
    from stanza.models.coref.model import CorefModel
    from transformers import AutoTokenizer, BertConfig, BertModel

    packs = Path(__file__).resolve().parents[3] / "languages" / "en" / "bvf_en" / "models"
    folder = tmp_path_factory.mktemp("coref")
    shutil.copytree(packs / "stanza", folder, dirs_exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(packs / "en-masked")
    tokenizer.save_pretrained(folder / "bert")
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(folder / "bert")
    places = {"save_dir": str(folder / "en" / "coref"), "save_name": "tiny", "bert_model": str(folder / "bert")}
    texts = ("section", "data_dir", "train_data", "dev_data", "test_data", "conll_log_dir")
    small = {"embedding_size": 4, "sp_embedding_size": 64, "hidden_size": 8, "n_hidden_layers": 1, "max_span_len": 8}
    small |= {"bert_window_size": 64, "a_scoring_batch_size": 64, "rough_k": 10}
    config = Config(
        **dict.fromkeys(Config.__dataclass_fields__, 0)
        | dict.fromkeys((*texts, "lang_lr_attenuation", "lang_lr_weights"), "")
        | dict.fromkeys(("lora_target_modules", "lora_modules_to_save"), ())
        | dict.fromkeys(("clusters_starts_are_singletons", "singletons"), True)
        | {**places, **small, "device": "cpu", "tokenizer_kwargs": {}}
    )
    (folder / "en" / "coref").mkdir()
    model = CorefModel(epochs_trained=0, build_optimizers=False, config=config)
    model.save_weights(str(folder / "en" / "coref" / "tiny.pt"), save_optimizers=False)
    resources = json.loads((folder / "resources.json").read_text())
    resources["en"]["coref"] = {"tiny": {}}
    resources["en"]["packages"]["default"]["coref"] = "tiny"
    (folder / "resources.json").write_text(json.dumps(resources))
    return StanzaParser("en", folder, ("tokenize", "mwt", "pos", "lemma", "depparse", "coref")), folder


def test_words_carry_the_chains_of_the_coref_processor(with_coref):
    parser, _ = with_coref
    document = parser._pipeline(TEXT)
    assert document.coref
    (sentences,) = parser.parse([TEXT])
    for chain in document.coref:
        for mention in chain.mentions:
            words = sentences[mention.sentence].words[mention.start_word : mention.end_word]
            assert words
            assert all(chain.index in word.chains for word in words)
    told = sum(len(word.chains) for sentence in sentences for word in sentence.words)
    spans = {
        (c.index, m.sentence, i) for c in document.coref for m in c.mentions for i in range(m.start_word, m.end_word)
    }
    assert told == len(spans)


def test_texts_are_no_context_of_each_other_for_coref(with_coref):
    parser, _ = with_coref
    assert parser.parse([TEXT, "It rained."])[0] == parser.parse([TEXT])[0]


def test_the_miner_keeps_what_the_chains_say(with_coref):
    """Coreference is random here. There is a match exactly if one chain has both subject and pronoun."""
    parser, folder = with_coref
    plugins = load()
    topic = plugins.topics.in_language("en").make("gender")
    options = StanzaOptions(stanza=str(folder), coref="stanza")
    miner = plugins.miners.in_language("en").find("en").make(MiningRequest(topic, options=options))
    sentence = "The nurse said that she was tired."
    ((parsed,),) = parser.parse([sentence])
    joined = bool(parsed.words[1].chains & parsed.words[4].chains)
    assert len(miner([Document("d", sentence)]).matches) == joined


def test_the_threads_of_a_share_hold_while_it_reads(monkeypatch):
    seen = []

    class Pipeline:
        def __init__(self, *_, **__):
            seen.append(torch.get_num_threads())

        def bulk_process(self, documents):
            seen.append(torch.get_num_threads())
            return documents

    monkeypatch.setattr(stanza, "Pipeline", Pipeline)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        for share, threads in ((Share(threads=1), 1), (Share(), 2)):
            StanzaParser("en", "default", ("tokenize",), share).parse(["It rained."])
            assert seen == [threads] * 2
            assert torch.get_num_threads() == 2
            seen.clear()
    finally:
        torch.set_num_threads(before)
