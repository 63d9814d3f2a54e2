"""What ``bvf doctor`` finds out about the machine."""

import json


def test_doctor_says_versions_and_plugins(command):
    facts = json.loads(command("doctor", "--format", "json").out)
    assert {"bvf", "python", "processors", "torch", "transformers", "cpu", "plugin en"} <= set(facts)
