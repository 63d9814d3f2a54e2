"""The folder below runs where answers lie if --out does not name one."""

from bvf.asking.folders import LONGEST_SLUG, folder_in_runs, slug


def test_a_folder_is_named_after_what_is_asked_the_model_and_the_digest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = folder_in_runs(["gender", "en"], "bundled:en-causal", "0123456789", lambda _: False)
    assert str(folder) == "runs/gender-en-en-causal-01234567"


def test_answers_under_another_name_of_the_model_are_found_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("runs/gender-a-01234567", "runs/gender-b-01234567", "runs/gender-b-89abcdef"):
        (tmp_path / name).mkdir(parents=True)
    found = folder_in_runs(["gender"], "c", "0123456789", lambda folder: "-b-" in folder.name)
    assert str(found) == "runs/gender-b-01234567"
    assert str(folder_in_runs(["gender"], "c", "0123456789", lambda _: False)) == "runs/gender-c-01234567"


def test_a_part_of_a_name_fits_every_disk():
    assert slug("org/Model v1.5:Q4_K") == "org-Model-v1.5-Q4-K"
    assert slug("../..") == ""
    assert len(slug("x" * 300)) == LONGEST_SLUG
