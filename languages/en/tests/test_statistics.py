"""The labour statistics: the committed tables, the mapping of groups, and the script that builds the tables."""

import csv
import runpy
import tomllib
from pathlib import Path

import pytest

PACK = Path(__file__).resolve().parents[1]
TABLES = PACK / "bvf_en" / "statistics"
BLS = PACK.parents[2] / "shared" / "data" / "bls"
CPS = BLS / "cpsaat11-2022.csv"
NAMES = ("employment-2022.csv", "percent-women-2022.csv")
DASH = "\N{EN DASH}"
BUILD = runpy.run_path(str(PACK / "statistics" / "build.py"))
with pytest.MonkeyPatch.context() as patched:
    patched.syspath_prepend(str(PACK / "statistics"))
    SOCIAL = runpy.run_path(str(PACK / "statistics" / "social.py"))


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def mapping() -> dict[str, dict[str, str]]:
    return {row["group"]: row for row in rows(PACK / "statistics" / "mapping.csv")}


def table(folder: Path, *lines: str) -> Path:
    file = folder / "table.csv"
    file.write_text("\n".join(('"A table"', "Occupation,2022,,", *lines)), encoding="utf-8")
    return file


def test_the_mapping_has_all_occupations_and_titles_as_written_each_with_rows_or_a_reason():
    papers, asked = (
        tomllib.loads((PACK / "bvf_en" / "topics" / f"{name}.toml").read_text(encoding="utf-8"))["groups"]
        for name in ("gender-2026", "gender")
    )
    titles = [group for group in asked if group.isupper()]
    assert (len(papers), len(asked), len(titles)) == (120, 116, 6)
    assert list(mapping()) == [*papers, *titles]
    assert [group for group, row in mapping().items() if not (row["title"] or row["note"])] == []


def test_a_share_over_several_rows_is_weighted_by_employment():
    row = BUILD["Row"]
    assert BUILD["share_of_women"]([row(300, 80.0), row(100, 40.0)]) == pytest.approx(0.7)


def test_a_share_is_left_out_where_too_few_rows_publish_it():
    row = BUILD["Row"]
    assert BUILD["share_of_women"]([row(90, 50.0), row(10, None)]) == pytest.approx(0.5)
    assert BUILD["share_of_women"]([row(89, 50.0), row(11, None)]) is None
    assert BUILD["share_of_women"]([row(5, None)]) is None


def test_headings_and_notes_of_the_published_table_are_no_rows(tmp_path):
    file = table(
        tmp_path,
        ',"Total employed",Percent,',
        ",,Women,",
        'Nurses,"3,363",87.9,1',
        f"Divers,3,{DASH},{DASH}",
        "NOTE,,,",
    )
    assert BUILD["read_table"](file) == {"Nurses": (3363, 87.9), "Divers": (3, None)}


def test_a_table_of_another_year_is_refused(tmp_path):
    file = table(tmp_path, "Nurses,3363,87.9,1")
    file.write_text(file.read_text(encoding="utf-8").replace("2022", "2021"), encoding="utf-8")
    with pytest.raises(SystemExit, match="not CPS Table 11 of 2022"):
        BUILD["read_table"](file)


def test_a_table_without_a_row_of_the_mapping_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="which the table has not"):
        BUILD["build"](table(tmp_path, "Nurses,3363,87.9,1"), tmp_path / "out")


@pytest.mark.shared
@pytest.mark.skipif(not CPS.is_file(), reason="needs ../shared/data/bls, which is not part of the project")
def test_the_committed_tables_are_what_the_script_makes(tmp_path):
    BUILD["build"](CPS, tmp_path)
    assert [name for name in NAMES if (tmp_path / name).read_bytes() != (TABLES / name).read_bytes()] == []


def test_social_factors_are_the_published_figures_and_means_over_rows():
    known = {row["group"]: row for row in rows(TABLES / "occupations.csv")}
    assert list(known) == [group for group, row in mapping().items() if row["title"]]
    lawyer, cashier, nurse, surgeon = (known[group] for group in ("lawyer", "cashier", "nurse", "surgeon"))
    assert (lawyer["weekly_wage"], lawyer["annual_wage"], lawyer["education_years"]) == ("2505.0", "151160", "20.477")
    assert (cashier["weekly_wage"], cashier["education_years"]) == ("633.0", "12.607")
    assert float(nurse["weekly_wage"]) == pytest.approx((2895 * 1507 + 424 * 1021) / (2895 + 424), abs=0.05)
    assert (nurse["rows"], float(nurse["women"])) == ("2", pytest.approx((3363 * 0.879 + 588 * 0.889) / 3951, abs=1e-4))
    assert (surgeon["weekly_wage"], surgeon["annual_wage"], surgeon["women"]) == ("", "", "")


def test_years_of_education_are_the_mean_on_a_declared_scale():
    nurses = ["0.3", "1.0", "5.0", "33.0", "49.6", "9.2", "1.8"]
    assert SOCIAL["mean_years"](nurses) == pytest.approx(15.405, abs=5e-4)
    assert SOCIAL["mean_years"](["100", *["0"] * 6]) == 10


@pytest.mark.shared
@pytest.mark.skipif(not CPS.is_file(), reason="needs ../shared/data/bls, which is not part of the project")
def test_the_committed_table_of_social_factors_is_what_the_script_makes(tmp_path):
    assert SOCIAL["build"](BLS, tmp_path) == 73
    assert (tmp_path / "occupations.csv").read_bytes() == (TABLES / "occupations.csv").read_bytes()
