"""``bvf doctor``: what is installed, what is missing, and the command that installs it."""

import math
import os
import platform

from bvf.cli.listing import fact_section
from bvf.files.packages.distributions import version_of
from bvf.terminal.format import Format, show_as

LIBRARIES = {
    "torch": "pip install 'bvf[models]'",
    "transformers": "pip install 'bvf[models]'",
    "safetensors": "pip install 'bvf[models]'",
    "accelerate": "pip install 'bvf[accelerate]'   (for -B device_map)",
    "sentencepiece": "pip install 'bvf[sentencepiece]'   (for some slow tokenizers)",
    "gguf": "pip install 'bvf[gguf]'   (for GGUF files)",
    "llama-cpp-python": "pip install 'bvf[llama-cpp]'   (for GGUF files whose weights stay packed)",
    "peft": "pip install 'bvf[adapters]'   (for adapters such as LoRA)",
    "pillow": "pip install 'bvf[images]'   (for pictures as contexts)",
    "matplotlib": "pip install 'bvf[figures]'   (for bvf plot)",
    "plotly": "pip install 'bvf[report]'   (for bvf report without --light)",
    "statsmodels": "pip install 'bvf[factors]'   (for the importance of factors)",
    "stanza": "pip install 'bvf[mining]'   (for bvf mine)",
    "inspect-ai": "pip install 'bvf[inspect]'   (for tasks of Inspect)",
    "bitsandbytes": "pip install bitsandbytes   (for weights that it quantised)",
    "torchao": "pip install torchao   (for weights that it quantised)",
    "compressed-tensors": "pip install compressed-tensors   (for weights that it quantised)",
    "gptqmodel": "pip install --no-build-isolation gptqmodel optimum   (for weights quantised by GPTQ or AWQ)",
}


def doctor(form: Format = "text") -> None:
    """``bvf doctor``."""
    from bvf.files.machine import affinity, processors, quota
    from bvf.hooks.loader import load

    plugins = load()
    facts = {
        "bvf": version_of("bvf") or "not installed",
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": f"{processors()} of {os.cpu_count()}: this process may run on {affinity()}, "
        + ("without a quota" if math.isinf(quota()) else f"with a quota of {quota():g}"),
    }
    facts |= {name: version_of(name) or f"missing: {command}" for name, command in LIBRARIES.items()}
    facts |= _devices()
    facts |= {f"plugin {owner.plugin}": f"{owner.distribution} {owner.version}" for owner in plugins.owners.values()}
    facts |= {f"plugin {name}": f"broken: {why}" for name, why in plugins.broken.items()}
    show_as(form, [fact_section("what is here", list(facts.items()))], facts)


def _devices() -> dict[str, str]:
    try:
        import torch
    except ImportError:
        return {"devices": "none: torch is missing"}
    from bvf.files.machine import threads
    from bvf.tables.words import counted

    devices = {"cpu": counted(min(torch.get_num_threads(), threads()), "thread")}
    for index in range(torch.cuda.device_count()):
        devices[f"cuda:{index}"] = torch.cuda.get_device_name(index)
    if torch.backends.mps.is_available():
        devices["mps"] = "available"
    return devices
