"""Tables in files: a quotation mark that is open takes no rows with it."""

import pytest

from bvf import BvfError
from bvf.files.group_tables import read_group_weights


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_an_open_quote_in_a_table_is_refused(tmp_path, ending):
    file = tmp_path / f"w.{ending}"
    file.write_text('weight,group\n1,nurse\n2,"baker\n3,welder\n'.replace(",", "," if ending == "csv" else "\t"))
    with pytest.raises(BvfError, match="not CSV"):
        read_group_weights(file)
