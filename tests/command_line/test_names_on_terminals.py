"""Names from anywhere are printed as they are: rich reads no style in them, and no control character gets through."""

import shlex

from helpers.topic_text import topic_text

from bvf.errors import harmless

MARKUP = ["[/foo]", "[bold red]x[/]", r"\\[/x]", "[link=http://a]b", "[", "]", ":smile:"]


def test_a_run_prints_names_of_groups_classes_and_folders_as_they_are(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.toml").write_text(topic_text({MARKUP[0]: ["he"], MARKUP[1]: ["she"]}, groups=MARKUP))
    out = f"o{MARKUP[0]}"
    run = ("run", "--topic", "t.toml", "--model", "baseline:stereotyped", "--quiet", "--out", out)
    done = command(*run, "--show", "all")
    assert done.code == 0, done.err
    assert all(name.replace("\\\\", "\\") in done.out for name in MARKUP)
    assert done.out.splitlines()[-1] == f"details: bvf show --details {shlex.quote(out)}"
    assert f"results: {out}" in command("show", "--details", out).out.replace("\n", "")


def test_a_topic_with_escape_sequences_is_shown_without_them(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = topic_text(
        {r"c\u009bd": ["he"], "two": ["she"]}, summary=r"\u001b]0;owned\u0007", groups=[r"a\u001b[31mb", "baker"]
    )
    (tmp_path / "t.toml").write_text(text)
    run = ("run", "--topic", "t.toml", "--model", "baseline:stereotyped", "--quiet", "--out", "o\x1b[31m")
    done = command(*run)
    assert done.code == 0, done.err
    assert done.out == harmless(done.out)
    assert r"a\x1b[31mb" in done.out
    assert r"c\x9bd" in done.out
    again = command(*run, "--format", "json")
    assert again.out == harmless(again.out)
    assert again.json["groups"][0]["group"] == "a\x1b[31mb"
