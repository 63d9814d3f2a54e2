"""Weights in 4 bits, packed by hand as GPTQ and AWQ store them, with the numbers that they stand for."""

import torch

GROUP = 32
"""So many numbers of a row have one scale and one zero."""
IN_ORDER, OF_AWQ = tuple(range(8)), (0, 2, 4, 6, 1, 3, 5, 7)
"""In which order eight numbers lie in one of 32 bits."""
SETTINGS = {
    "gptq": {"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": False, "sym": False},
    "awq": {"quant_method": "awq", "bits": 4, "group_size": GROUP, "zero_point": True, "version": "gemm"},
}


def in_four_bits(method, name, weight):
    """Return the tensors that a method stores for a weight (out, in), by name, and the numbers that these stand for."""
    columns = weight.T.float().view(-1, GROUP, len(weight))
    lowest, highest = columns.amin(1).clamp_max(0), columns.amax(1).clamp_min(0)
    scales = ((highest - lowest) / 15).half()
    zeros = (-lowest / scales.float()).round().clamp(1, 15)
    numbers = (columns / scales[:, None].float() + zeros[:, None]).round().clamp(0, 15)
    stands_for = ((numbers - zeros[:, None]) * scales[:, None].float()).reshape(-1, len(weight)).T.contiguous()
    numbers, zeros, stem = numbers.reshape(-1, len(weight)).long(), zeros.long(), name.removesuffix("weight")
    if method == "awq":
        stored = {"qweight": packed(numbers, 1, OF_AWQ), "qzeros": packed(zeros, 1, OF_AWQ)}
    else:
        groups = torch.arange(len(numbers), dtype=torch.int32) // GROUP
        stored = {"qweight": packed(numbers, 0), "qzeros": packed(zeros - 1, 1), "g_idx": groups}
    return {f"{stem}{part}": tensor for part, tensor in {**stored, "scales": scales}.items()}, stands_for


def packed(numbers, axis, order=IN_ORDER):
    """Eight numbers of 4 bits in one of 32, along an axis."""
    moved = numbers.movedim(axis, -1)
    by_eight = moved.reshape(*moved.shape[:-1], -1, 8)[..., list(order)]
    whole = sum(by_eight[..., place] << (4 * place) for place in range(8))
    return torch.where(whole >= 2**31, whole - 2**32, whole).int().movedim(-1, axis).contiguous()
