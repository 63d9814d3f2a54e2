"""``bvf run`` as a newcomer types it."""

import bvf
from bvf.asking import model


def test_the_model_is_loaded_once_and_asked_little_more_than_every_prompt(tmp_path, monkeypatch):
    loaded, asked = [], []

    def loading(*arguments):
        backend = load_backend(*arguments)
        loaded.append(backend)
        for way in ("score", "score_within", "score_beside", "word_mass"):
            monkeypatch.setattr(backend, way, counted(getattr(backend, way)))
        return backend

    def counted(ask):
        def count(prompts, *more, **options):
            asked.append(len(prompts))
            return ask(prompts, *more, **options)

        return count

    load_backend = model.load_backend
    monkeypatch.setattr(model, "load_backend", loading)
    result = bvf.run(bvf.RunConfig(out=str(tmp_path / "out"), limit_groups=6))
    assert len(loaded) == 1
    of_neutral = 3 * result.number_of_contexts
    assert result.other_words
    assert result.prompts + of_neutral <= sum(asked) <= result.prompts + of_neutral + 250
    assert len([number for number in asked if number > 1]) < 25
    bvf.run(bvf.RunConfig(out=str(tmp_path / "out"), limit_groups=6, criterion="lk:2"))
    assert len(loaded) == 1  # a finished run loads no model
