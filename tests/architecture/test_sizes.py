"""The house may only become smaller: see the head of sizes.toml."""

from functools import cache

from architecture import house
from architecture.house import MEASURES, TESTS, recorded

counted = cache(house.counted)

SLACK = 40
"""So many lines may a package be below its number before the number has to follow."""


def in_all(numbers, measure="lines"):
    """The sums outside tests, in tests, and in benchmarks."""
    outside = sum(each.get(measure, 0) for package, each in numbers.items() if package != TESTS)
    of = [numbers.get(package, {}).get(measure, 0) for package in (TESTS, "benchmarks")]
    return dict(zip(("lines", "tests", "benchmarks"), (outside, *of), strict=True))


def test_no_package_is_larger_than_its_numbers():
    known = recorded()["packages"]
    for package, counts in counted().items():
        assert package in known, f"{package} has no numbers: python tests/architecture/house.py --raise {package}"
        larger = {
            each: (counts[each], known[package][each]) for each in MEASURES if counts[each] > known[package][each]
        }
        assert larger == {}, (
            f"{package} grew beyond its numbers (now, allowed). Make something simpler; or take the growth from an "
            f"allowance in sizes.toml, and run python tests/architecture/house.py --raise {package}"
        )


def test_numbers_follow_a_package_that_became_smaller():
    counts = counted()
    for package, numbers in recorded()["packages"].items():
        assert package in counts, f"{package} is gone: take its line out of sizes.toml"
        assert numbers["lines"] - counts[package]["lines"] <= SLACK, "run python tests/architecture/house.py"


def test_growth_is_taken_from_an_allowance():
    """What is there and what may still be added is never more than the limit of the whole house."""
    sizes = recorded()
    used, most = in_all(sizes["packages"]), sizes["most"]
    for measure, limit in most.items():
        allowed = sum(each[measure] for each in sizes["allowance"].values())
        assert used[measure] + allowed <= limit, f"{measure}: {used[measure]} and {allowed} to come, of {limit}"
