"""A quotation mark that is open, or stands inside a text, takes no rows with it."""

import csv
from contextlib import suppress

import pytest

from bvf import BvfError
from bvf.files.group_tables import read_group_weights
from bvf.mining.corpus import Corpus


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_an_open_quote_in_a_table_is_refused(tmp_path, ending):
    file = tmp_path / f"w.{ending}"
    file.write_text('weight,group\n1,nurse\n2,"baker\n3,welder\n'.replace(",", "," if ending == "csv" else "\t"))
    with pytest.raises(BvfError, match="not CSV"):
        read_group_weights(file)


@pytest.mark.parametrize("row", ['"A baker said.', '"A baker said."x y'], ids=["cut", "text after a quote"])
def test_an_open_quote_in_a_corpus_is_refused(tmp_path, row):
    file = tmp_path / "corpus.csv"
    file.write_text(f'id,text\n1,"A nurse, too."\n2,{row}\n3,A welder said.\n')
    with pytest.raises(BvfError, match="not a table"):
        list(Corpus((str(file),)).documents())


@pytest.mark.parametrize("text", ["A nurse, too.", '"A baker said.'], ids=["whole", "cut"])
def test_the_limit_of_a_field_in_a_corpus_is_not_that_of_other_tables(tmp_path, text):
    before = csv.field_size_limit()
    (tmp_path / "corpus.csv").write_text(f"id,text\n1,{text}\n")
    with suppress(BvfError):
        list(Corpus((str(tmp_path / "corpus.csv"),)).documents())
    assert csv.field_size_limit() == before
