"""``bvf run --controls`` as it is typed."""

SMALL = "run --model baseline:random --limit-groups 3 --limit-contexts 4 --controls --out a"
NAMES = ["hair-colour", "ordinal", "weekday"]


def test_the_controls_stand_below_the_model_and_come_back_from_the_folder(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = command(*SMALL.split(), "--details")
    assert run.code == 0, run.err
    models, _, beside = run.out.partition("baseline:random: gender beside 3 controls")
    assert "Discrimination risk: gender" in models
    beside, _, distance = beside.partition("baseline:random: how far gender is from each control")
    of_hair = [line.split()[1] for line in distance.splitlines() if line.startswith(" hair-colour ")]
    assert of_hair == ["R", "R^b", "particular", "apart"]
    rows = [line.split()[0] for line in beside.splitlines() if line.startswith((" gender", " hair", " ord", " week"))]
    assert rows == ["gender", *NAMES]
    assert command("analyse", "a", "--details").out == run.out
    assert command("verify", "a").code == 0
