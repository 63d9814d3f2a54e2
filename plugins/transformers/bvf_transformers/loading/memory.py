"""Will the weights fit? Asked before they are read, since a system that runs out of memory ends the process unasked."""

import math
from pathlib import Path

import torch

from bvf.errors import OutOfMemoryError
from bvf.interfaces.backend import ModelRequest
from bvf_transformers.loading.checkpoint import shapes_in
from bvf_transformers.loading.weights import weight_files

MEMINFO = Path("/proc/meminfo")
GIGA = 1e9


def check_memory(request: ModelRequest, device: torch.device, dtype: torch.dtype) -> None:
    """Refuse weights that are larger than the free memory; where either is not known, nothing is refused.

    Raises:
        OutOfMemoryError: Says how much is needed and how much is free.
    """
    needed = dtype.itemsize * sum(map(math.prod, shapes_in(weight_files(request)).values()))
    free = _free_bytes(device)
    if free is not None and needed > free:
        raise OutOfMemoryError(
            f"{request.model}: the weights need {needed / GIGA:.1f} GB as {str(dtype).removeprefix('torch.')}, "
            f"and {free / GIGA:.1f} GB are free",
            "use --dtype bfloat16, another --device, or -B device_map=auto",
        )


def _free_bytes(device: torch.device) -> int | None:
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    if device.type != "cpu" or not MEMINFO.exists():
        return None
    for line in MEMINFO.read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    return None
