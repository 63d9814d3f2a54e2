"""Write the published schemas of the result files: ``python docs/schema/write.py``."""

import json
from pathlib import Path

from bvf.analyse.result import KnowledgeResult, Result

for name, model in (("result-2", Result), ("knowledge-2", KnowledgeResult)):
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    (Path(__file__).parent / f"{name}.json").write_text(json.dumps(schema, indent=1) + "\n")
