"""The conformance kit: checks that every criterion, analysis, backend, benchmark, topic, language, ... must pass.

    @pytest.mark.parametrize("check", criterion_checks(Excess()), ids=str)
    def test_contract(check):
        check()

``bvf check PLUGIN`` runs the same checks without pytest. The names of the kit are listed in `__init__.pyi`, and are
imported when they are first used.
"""

from typing import Any

from lazy_loader import attach_stub

from bvf import Provider, hookimpl

BVF_API = 1
__getattr__, _, __all__ = attach_stub(__name__, __file__)  # pluggy finds hooks by the default __dir__


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider(
            "check",
            "bvf_testing.command_line:check",
            "Check everything that a plugin offers, or a topic file, against what it must do.",
            example="bvf check en",
        ),
        Provider(
            "new",
            "bvf_testing.command_line:new",
            "Write a package for a plugin of your own: it installs, works, and passes its tests.",
        ),
    ]
