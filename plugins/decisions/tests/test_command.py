"""From documents to a table, a gate, a page and a picture, on the bundled model."""

import csv
import io
import json
import subprocess
import sys

NAMES = "Emily,Anne,Greg,Todd,Lakisha,Tanisha,Jamal,Tyrone"


def bvf(line):
    done = subprocess.run([sys.executable, "-m", "bvf", *line.split()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_documents_of_ones_own_from_end_to_end(tmp_path):
    run, letters, page = tmp_path / "run", tmp_path / "letters", tmp_path / "page.html"
    letters.mkdir()
    for what in ("loan", "job", "room"):
        (letters / f"{what}.txt").write_text(f"Dear [X],\n\nthe {what} that you asked for was [Y]")
    bvf(f"run --topic decisions --contexts documents:{letters} --groups {NAMES} --out {run}")
    rows = list(csv.DictReader(io.StringIO(bvf(f"impact {run} --select top=25% --format csv"))))
    assert [row["category"] for row in rows][:4] == ["female", "male", "white", "Black"]
    assert [int(row["applicants"]) for row in rows] == [12, 12, 12, 12, 6, 6, 6, 6]
    assert sum(float(row["selected"]) for row in rows[:2]) == 6.0
    stored = json.loads(bvf(f"impact {run} --format json"))
    assert (stored["schema"], stored["rule"]) == ("bvf.impact/1", "p(accepted) above the median of all candidates")
    limits = f"--min impact_ratio={0.9 * stored['uncertainty']['intervals']['impact_ratio']['low']:.4f}"
    assert "pass: impact_ratio" in bvf(f"gate {run} {limits} --min impact_ratio[female]=0 --allow-low-mass")
    assert "male & Black" in bvf(f"show {run} --details")
    bvf(f"report {run} -o {page}")
    assert "the four-fifths rule" in page.read_text()
    bvf(f"plot {run} --kind impact -o {tmp_path / 'impact.svg'}")
    bvf(f"verify {run}")
