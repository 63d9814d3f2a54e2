"""What ``bvf doctor`` finds out about the machine."""

import re
import tomllib
from pathlib import Path

from bvf.cli.plugins import doctor

PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"
FOR_DEVELOPERS = {"bench", "docs", "test"}


def test_doctor_says_versions_and_plugins_and_lists_a_library_of_every_extra(in_json, monkeypatch):
    assert {"bvf", "python", "processors", "torch", "transformers", "cpu", "plugin en"} <= set(in_json("doctor"))
    extras = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    listed = doctor.LIBRARIES
    for extra in set(extras) - FOR_DEVELOPERS:
        assert {re.split(r"[>\[]", each)[0] for each in extras[extra]} & set(listed), extra
    monkeypatch.setattr(doctor, "version_of", lambda library: "" if library == "plotly" else "1.2.3")
    facts = in_json("doctor")
    assert (facts["matplotlib"], facts["statsmodels"]) == ("1.2.3", "1.2.3")
    assert facts["plotly"] == f"missing: {listed['plotly']}"
