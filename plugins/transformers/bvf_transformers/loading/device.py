"""The device and number format of a model, from the options or the best for this machine."""

import importlib.util
from typing import Any

import torch

from bvf import BvfError, ModelRequest, Share
from bvf.files import threads
from bvf_transformers.options import options_of


def device_of(request: ModelRequest) -> torch.device:
    """Return the device. "auto" is the best of this machine, and spreads several workers over the GPUs."""
    if options_of(request).device != "auto":
        return _device_named(options_of(request).device)
    if torch.cuda.is_available():
        several, share = torch.cuda.device_count(), request.share
        return torch.device("cuda", share.index % several) if share.workers > 1 < several else torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def _device_named(name: str) -> torch.device:
    unavailable = BvfError(f'--device "{name}" is not available here', "see bvf doctor for the devices")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).tolist()
    except Exception as error:  # every kind of device raises its own error if it is missing
        raise unavailable from error
    if device.type == "cpu" and device.index:
        raise unavailable
    return device


def dtype_of(request: ModelRequest, device: torch.device) -> Any:
    """Return torch's number format. "auto": the model's files decide."""
    if options_of(request).dtype != "auto":
        return getattr(torch, options_of(request).dtype)
    return torch.float32 if device.type == "cpu" else "auto"


def check_device_map(request: ModelRequest) -> None:
    """Refuse ``device_map`` if accelerate is not installed."""
    if options_of(request).device_map and importlib.util.find_spec("accelerate") is None:
        raise BvfError("-B device_map needs accelerate, which is not installed", "pip install 'bvf[accelerate]'")


def take_share(share: Share) -> None:
    """Set torch's number of threads to the worker's number, else to torch's default.

    It is at most one per processor.
    """
    _threads.set(share.threads)


class _Threads:
    """Sets torch's global number of threads. It remembers torch's own number for later runs that set none."""

    def __init__(self) -> None:
        self.torch_has = self.set_here = 0

    def set(self, wanted: int) -> None:
        now = torch.get_num_threads()
        if now != self.set_here:
            self.torch_has = now
        self.set_here = wanted or min(self.torch_has, threads())
        torch.set_num_threads(self.set_here)


_threads = _Threads()
