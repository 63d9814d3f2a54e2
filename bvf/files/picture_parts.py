"""The parts of a picture's file that are seen, without its places, texts and second contents. Nothing is decoded."""

import re
import struct
import zlib
from collections.abc import Iterator

TURNED = b"MM\0*\0\0\0\b\0\1\1\x12\0\3\0\0\0\1\0%c\0\0\0\0\0\0"
"""Exif that says how a picture is turned, from 2 to 8, and nothing else."""
OF_JPEG = frozenset((*range(0xC0, 0xC8), *range(0xC9, 0xD0), 0xDA, 0xDB, 0xDD))
"""Markers of frames, scans and tables. Parts with other markers, from 0xE0 to 0xFE, are left out."""
COLOURS = {0xE0: (b"JFIF\0", 12, b"\0\0"), 0xE2: (b"ICC_PROFILE\0", None, b""), 0xEE: (b"Adobe", 12, b"")}
"""But those that begin so are kept, with so many bytes and this end: JFIF without its small picture."""
END_OF_SCAN = re.compile(rb"\xff(?=[\x01-\xcf\xd8-\xfe])")
OF_PNG = {b"IHDR": 13, b"PLTE": 768, b"tRNS": 256, b"IDAT": 2**31, b"IEND": 0, b"iCCP": 2**31} | {
    b"gAMA": 4, b"cHRM": 32, b"sRGB": 1, b"sBIT": 4, b"pHYs": 9
}  # fmt: skip
"""Parts that change the look, and their most bytes."""
AT_ONCE = 10_000_000


def seen_parts(content: bytes, turned: int) -> tuple[bytes, str]:
    """Return a PNG or JPEG of which only what is seen is left, and the ending of its file.

    ``turned`` is how it is to be turned, as in Exif. Raises ValueError if it is of another format, or not as that says.
    """
    exif = TURNED % int(turned) if turned in range(2, 9) else b""
    try:
        if content.startswith(b"\xff\xd8"):
            return b"".join(_jpeg(content, exif)), ".jpg"
        if content.startswith(b"\x89PNG\r\n\x1a\n"):
            parts = _png(content, exif)
            packed = (struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in parts)
            return content[:8] + b"".join(packed), ".png"
    except (struct.error, zlib.error) as error:
        raise ValueError("a part of it is damaged or cut off") from error
    raise ValueError("it is not a PNG or JPEG")


def _jpeg(content: bytes, exif: bytes) -> Iterator[bytes]:
    place, profile = 2, b""
    yield content[:place] + (b"\xff\xe1\0\x22Exif\0\0" + exif if exif else b"")
    while content[place : place + 2] != b"\xff\xd9":
        start, marker, size = struct.unpack_from(">BBH", content, place)
        part, place = content[place + 4 : place + 2 + size], place + 2 + size
        if start != 0xFF or not (marker in OF_JPEG or 0xE0 <= marker < 0xFF):
            raise ValueError("something else stands between its parts")
        begins, most, end = COLOURS.get(marker, (b"", None, b""))
        if marker in OF_JPEG or (begins and part.startswith(begins)):
            profile += part[14:] if marker == 0xE2 else b""
            part = part[:most] + end
            yield struct.pack(">BBH", start, marker, len(part) + 2) + part
        if marker == 0xDA:
            scan = END_OF_SCAN.split(content[place:], 1)[0]
            yield scan
            place += len(scan)
    yield _profile(profile)[:0] + b"\xff\xd9"


def _png(content: bytes, exif: bytes) -> Iterator[bytes]:
    pixels, place, kind = zlib.decompressobj(), 8, b""
    while kind != b"IEND":
        size, kind = struct.unpack_from(">I4s", content, place)
        part, place = content[place + 8 : place + 8 + size], place + 12 + size
        if size > OF_PNG.get(kind, size) or (kind[:1].isupper() and kind not in OF_PNG):
            raise ValueError(f"its part {kind!r} is not known, or too long")
        if kind == b"IDAT":
            part = _up_to_end(pixels, part)
        if kind == b"iCCP":
            profile = zlib.decompressobj().decompress(part.partition(b"\0")[2][1:], AT_ONCE)
            part = b"ICC Profile\0\0" + zlib.compress(_profile(profile))
        if kind in OF_PNG:
            yield kind + part
        if kind == b"IHDR" and exif:
            yield b"eXIf" + exif


def _up_to_end(pixels: "zlib._Decompress", part: bytes) -> bytes:
    """A part of compressed pixels, up to their end."""
    if pixels.eof:
        return b""
    rest = part
    while rest and not pixels.eof:
        pixels.decompress(rest, AT_ONCE)
        rest = pixels.unconsumed_tail
    return part[: len(part) - len(pixels.unused_data)]


def _profile(profile: bytes) -> bytes:
    if profile and (profile[36:40] != b"acsp" or int.from_bytes(profile[:4]) != len(profile)):
        raise ValueError("its colour profile is not one")
    return profile
