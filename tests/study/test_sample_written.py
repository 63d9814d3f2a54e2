"""A file of templates with counts is no sample: no interval, no decision, whatever the numbers in it are."""

import re

import pytest

import bvf

TWELVE = [
    f"{when} the [X] {verb} that [Y]"
    for when in ("Today", "Then", "Later")
    for verb in ("said", "knew", "saw", "wrote")
]
GROUPS = ("--groups", "nurse,captain,librarian,sergeant")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with three templates and with twelve, and their counts."""
    folder = tmp_path_factory.mktemp("written")
    for name, rows in (
        ("ward", zip(TWELVE[::4], (40, 25, 10), strict=True)),
        ("twelve", ((each, 5) for each in TWELVE)),
    ):
        lines = "".join(f"{template},{count}\n" for template, count in rows)
        (folder / f"{name}.csv").write_text(f"template,count\n{lines}", "utf-8")
    return folder


@pytest.fixture
def run(command, folder):
    def of(name, *options, model="bundled:en-causal"):
        out = folder / f"{name}{''.join(options)}{model.partition(':')[2]}"
        asked = ("--model", model, "--contexts", folder / f"{name}.csv", *GROUPS)
        done = command("run", *asked, *options, "--out", out)
        assert done.code == 0, done.err
        return done, out

    return of


def test_numbers_in_a_file_are_weights_and_give_no_interval(command, run):
    shown, out = run("ward")
    (heading,) = (line for line in shown.out.splitlines() if "male, %" in line)
    assert "interval" not in heading
    assert "No interval for other texts: the contexts were written, not sampled" in shown.said
    assert "--unit template" not in shown.said  # three are too few
    uncertainty = bvf.read_result(out).uncertainty
    assert (uncertainty.intervals, uncertainty.estimand) == ({}, "set")
    gated = command("gate", out, "--max", "R=0.99")
    assert (gated.code, gated.out.startswith("cannot tell: R ")) == (3, True)
    assert command("gate", out, "--max", "R=0.99", "--as-is").code == 0
    page = out.with_suffix(".html")
    assert command("report", out, "-o", page).code == 0
    text = page.read_text("utf-8")
    assert "This holds in these 3 contexts; what others would give is not known" in text
    assert "95%:" not in text


@pytest.mark.parametrize(
    ("unit", "as_if"),
    [
        ("template", "other templates of the kind, as if these templates had been drawn"),
        ("occurrence", "other texts of the kind, as if these counts had been counted"),
    ],
)
def test_whoever_knows_better_says_so_and_every_output_says_as_if(command, run, folder, unit, as_if):
    plain, stored = run("twelve")
    options = "--unit template: as if these templates had been drawn; --unit occurrence: as if these counts had been"
    offered = "(--unit template or --unit occurrence takes them for a sample)"
    assert f"the contexts were written, not sampled {offered}." in plain.said
    in_full = command("show", "--details", stored).said
    assert f"the contexts were written, not sampled ({options} counted)" in in_full
    shown, out = run("twelve", f"--unit={unit}")
    assert re.search(rf"95% intervals( \(.*% for groups shown\))?: {as_if}\.", shown.said)
    assert f"Intervals of 95% are for {as_if}" in command("show", "--details", out).said
    short = as_if.partition(", ")[2]
    gated = command("gate", stored, "--max", "R=0.99", "--unit", unit).out
    assert re.match(rf"\w[\w ]*: R 0\.\d+ \(95%, {short}: ", gated)
    compared = command("compare", stored, run("twelve", model="bundled:en-masked")[1], "--unit", unit)
    assert compared.code == 0, compared.err
    assert f"intervals are for {as_if}" in compared.said
    assert f"--unit {unit}: {short}" in command("plan", stored).err
    assert command("plan", stored, "--unit", unit).code == 0
    tex = folder / f"{unit}.tex"
    assert command("export", out, "--to", "latex", "-o", tex).code == 0
    assert as_if in tex.read_text("utf-8")


def test_documents_that_are_not_known_are_refused_as_the_unit(command, folder):
    done = command("run", "--contexts", folder / "ward.csv", *GROUPS, "--unit", "document", "--out", folder / "x")
    assert "--unit document: the documents that the contexts of" in done.refusal
