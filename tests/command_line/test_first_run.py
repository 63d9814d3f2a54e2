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


def test_groups_classes_and_contexts_of_ones_own_are_asked_in_one_command(process, tmp_path):
    (tmp_path / "mine.txt").write_text("The [X] said that [Y]\nWhen the [X] came home, [Y]\n")
    own = ["--groups", "midwife,nurse,plumber", "--words", "she=she,her", "--words", "he=he,him"]
    own += ["--contexts", "mine.txt"]
    ran = process("run", *own, "--out", "out")
    assert "3 of 118 groups (chosen; your own: midwife, plumber)" in " ".join(ran.stdout.split())
    result = bvf.read_result(tmp_path / "out")
    assert [group.group for group in result.groups] == ["nurse", "midwife", "plumber"]
    assert "she or he?" in ran.stdout
    slip = process("run", *own, "--out", "slip", "--groups", "nures")
    assert (slip.returncode, slip.stdout) == (2, "")
    assert "did you mean nurse?" in slip.stderr
