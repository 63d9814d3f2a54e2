"""How far a compressed file may unpack."""

from bvf.errors import BvfError

ALWAYS_UNPACKED = 2**26
TIMES_UNPACKED = 100
"""A compressed file unpacks to at most so many times its size, and 64 MB. Logs unpack to 5 to 30 times theirs."""


def refuse_unpacked(size: int, packed: int, where: str) -> None:
    """Raise `BvfError` if ``size`` bytes are more than what ``packed`` bytes may unpack to."""
    most = ALWAYS_UNPACKED + TIMES_UNPACKED * packed
    if size > most:
        raise BvfError(
            f"{where}: {packed:,} bytes unpack to more than {most / 1e6:,.0f} MB",
            "if that is right, unpack it, and name the unpacked file",
        )
