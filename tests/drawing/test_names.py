"""Names of strangers in pictures: one line, of characters that draw something."""

from bvf.drawing.names import shown_name


def test_a_name_is_cut_in_the_middle_and_keeps_its_signs():
    assert shown_name("x" * 300, 11) == "xxxxx…xxxxx"
    assert shown_name(" e\u0301t\u00e9 <b>&</b> ") == "\u00e9t\u00e9 <b>&</b>"
    assert shown_name("a\u202eb\x00") == "ab\N{REPLACEMENT CHARACTER}"
