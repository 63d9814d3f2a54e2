"""Tables in files: a quotation mark that is open takes no rows with it."""

import pytest

from bvf import BvfError
from bvf.files.table_files import read_group_weights


def test_an_open_quote_in_a_table_is_refused(tmp_path):
    for ending, delimiter in (("csv", ","), ("tsv", "\t")):
        file = tmp_path / f"w.{ending}"
        file.write_text('weight,group\n1,nurse\n2,"baker\n3,welder\n'.replace(",", delimiter))
        with pytest.raises(BvfError, match="not CSV"):
            read_group_weights(file)


PLAIN = "group,weight\nnurse,3.5\nbaker,2\n"


def as_excel(text: str, delimiter: str) -> str:
    return text.replace(",", delimiter).replace(".", ",").replace("\n", "\r\n")


@pytest.mark.parametrize(
    "content",
    [
        ("\ufeff" + as_excel(PLAIN, "\t")).encode("utf-16-be"),
        b"sep=;\r\n" + as_excel(PLAIN, ";").encode(),
        b'"sep=,"\r\n' + PLAIN.encode(),
        b"sep=|\r\n" + as_excel(PLAIN, "|").encode(),
        b'"group";"weight"\n"nurse";"3,5"\n"baker";"2"\n',
        b'"group, or name";group;weight\n"a, b, c";nurse;3,5\nx;baker;2\n',
        "group\u200b,weight\u00a0\nnurse,3.5\nbaker,2\n".encode(),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_table_is_read_however_a_spreadsheet_writes_it(tmp_path, content, ending):
    file = tmp_path / f"w.{ending}"
    file.write_bytes(content)
    assert read_group_weights(file) == {"nurse": 3.5, "baker": 2.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("group;weight\nnurse;1,500\n", r'w\.csv:2: "1,500" in column "weight" is not a number'),
        ("group;weight\nnurse;3,5\nbaker;1.500\n", r'w\.csv:3: "1\.500" in column "weight" is not a number'),
        ("group;weight\nnurse;3,5\nbaker;1.500,5\n", r'w\.csv:3: "1\.500,5" in column "weight" is not a number'),
        ('group,weight\nnurse,"3,5"\n', r'w\.csv:2: "3,5" in column "weight" is not a number'),
        ("sep=;\ngroup;weight\nnurse;3;5\n", r"w\.csv:3: more fields than the header has"),
        ("group,weight\nnurse,3\u200b\n", r'w\.csv:2: "3\\u200b" in column "weight" is not a number'),
        ("group,weight\nnu\u200brse,3\n", r'w\.csv:2: the invisible letter U\+200B ZERO WIDTH SPACE is between "nu"'),
    ],
)
def test_what_may_mean_two_numbers_is_refused_with_its_line(tmp_path, text, message):
    (tmp_path / "w.csv").write_text(text, "utf-8")
    with pytest.raises(BvfError, match=message):
        read_group_weights(tmp_path / "w.csv")


def test_a_decimal_comma_makes_a_number_with_three_decimals_one_too(tmp_path):
    (tmp_path / "w.csv").write_text("group;weight\nnurse;1,500\nbaker;0,250\n")
    assert read_group_weights(tmp_path / "w.csv") == {"nurse": 1.5, "baker": 0.25}
