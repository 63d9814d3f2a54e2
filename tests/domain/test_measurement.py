"""What is computed once from the questions of a measurement is computed again for other questions."""

from bvf_testing.measurements import small_measurement


def test_a_copy_with_fewer_groups_and_contexts_has_their_names():
    asked = small_measurement().record.asked
    assert len(asked.group_names) == len(asked.row_of) == len(asked.groups)
    assert asked.in_order == asked.templates
    fewer = asked.model_copy(update={"groups": asked.groups[1:], "templates": asked.templates[:2]})
    assert fewer.group_names == asked.group_names[1:]
    assert fewer.row_of == {name: x for x, name in enumerate(asked.group_names[1:])}
    assert fewer.in_order == asked.templates[:2]
