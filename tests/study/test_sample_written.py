"""A file of templates with counts is no sample: no interval, no decision, whatever the numbers in it are."""

import json
import re

import pytest

TEMPLATES = (
    "The [X] wrote in the report that [Y]",
    "Yesterday the [X] said that [Y]",
    "After the shift the [X] told everybody that [Y]",
)
TWELVE = tuple(
    f"{start} the [X] {verb} that [Y]"
    for start in ("Today", "Then", "Later")
    for verb in ("said", "knew", "saw", "wrote")
)
GROUPS = ("--groups", "nurse,captain,librarian,sergeant")


def write(file, templates, counts):
    rows = (f"{template},{count}" for template, count in zip(templates, counts, strict=True))
    file.write_text("\n".join(("template,count", *rows)) + "\n", "utf-8")
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def ward(folder):
    return write(folder / "counts.csv", TEMPLATES, (40, 25, 10))


@pytest.fixture
def run(command, folder):
    def of(file, *options, model="bundled:en-causal"):
        out = folder / f"{file.stem}{''.join(options)}{model.partition(':')[2]}"
        done = command("run", "--model", model, "--contexts", file, *GROUPS, *options, "--out", out)
        assert done.code == 0, done.err
        return done.out, out

    return of


def test_numbers_in_a_file_are_weights_and_give_no_interval(command, run, ward):
    shown, out = run(ward)
    (heading,) = (line for line in shown.splitlines() if "male, %" in line)
    assert "interval" not in heading
    one_line = " ".join(shown.split())
    assert "No interval for other texts: the contexts were written, not sampled" in one_line
    assert "--unit template" not in one_line  # three are too few
    result = json.loads((out / "result.json").read_text("utf-8"))
    assert (result["uncertainty"]["intervals"], result["uncertainty"]["estimand"]) == ({}, "set")
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
    twelve = write(folder / "twelve.csv", TWELVE, [5] * 12)
    plain, stored = run(twelve)
    options = "--unit template: as if these templates had been drawn; --unit occurrence: as if these counts had been"
    offered = "(--unit template or --unit occurrence takes them for a sample)"
    assert f"the contexts were written, not sampled {offered}." in " ".join(plain.split())
    in_full = " ".join(command("show", "--details", stored).out.split())
    assert f"the contexts were written, not sampled ({options} counted)" in in_full
    shown, out = run(twelve, f"--unit={unit}")
    assert re.search(rf"95% intervals( \(.*% for groups shown\))?: {as_if}\.", " ".join(shown.split()))
    details = command("show", "--details", out).out
    assert f"Intervals of 95% are for {as_if}" in " ".join(details.split())
    short = as_if.partition(", ")[2]
    gated = command("gate", stored, "--max", "R=0.99", "--unit", unit).out
    assert re.match(rf"\w[\w ]*: R 0\.\d+ \(95%, {short}: ", gated)
    compared = command("compare", stored, run(twelve, model="bundled:en-masked")[1], "--unit", unit)
    assert compared.code == 0, compared.err
    assert f"intervals are for {as_if}" in " ".join(compared.out.split())
    assert f"--unit {unit}: {short}" in command("plan", stored).err
    assert command("plan", stored, "--unit", unit).code == 0
    tex = folder / f"{unit}.tex"
    assert command("export", out, "--to", "latex", "-o", tex).code == 0
    assert as_if in tex.read_text("utf-8")


def test_documents_that_are_not_known_are_refused_as_the_unit(command, ward, folder):
    done = command("run", "--contexts", ward, *GROUPS, "--unit", "document", "--out", folder / "x")
    assert done.code == 2
    assert "--unit document: the documents that the contexts of" in done.err
