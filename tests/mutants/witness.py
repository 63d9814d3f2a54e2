"""``witness.py SECONDS OUT MODULE TESTS`` runs tests where a module has a mutation, and writes which of them fail.

A test notices a mutation if it fails by what it asserts, or by a refusal of bvf; the first such test ends the run.
A test that ends otherwise (a name that is not there, a TypeError) has noticed nothing about what should be.
"""

import importlib.util
import json
import resource
import sys
from pathlib import Path

import pytest

NOTICED = {"AssertionError", "Failed", "BvfError"}
"""Classes of what a test that notices something raises; ``Failed`` is pytest's, as when nothing is raised."""


class Witness:
    """A plugin of pytest that keeps which tests fail, each with whether it noticed, and the first line of why."""

    def __init__(self, ends):
        self.ends, self.failed = ends, []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if report.failed:
            asserted = call.when == "call" and any(each.__name__ in NOTICED for each in call.excinfo.type.__mro__)
            says = call.excinfo.exconly().splitlines()[0]
            self.failed.append({"test": item.nodeid, "asserted": asserted, "says": says})
            if asserted and self.ends:
                item.session.shouldstop = "noticed"
        return report


def main(longest, out, module, *tests):
    """Run the tests, once the module ("": none has a mutation) is known to be the one of this tree."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(longest), int(longest)))
    found = importlib.util.find_spec(module or "bvf")
    assert Path.cwd() in Path(found.origin).parents, f"{module} is imported from {found.origin}"
    witness = Witness(ends=bool(module))
    code = pytest.main([*tests, "-p", "no:cacheprovider", "--tb=short"], plugins=[witness])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not witness.failed:
        witness.failed.append({"test": "", "asserted": False, "says": f"pytest ends with {code}"})
    Path(out).write_text(json.dumps(witness.failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
