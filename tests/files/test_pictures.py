"""What is published of a picture: all that is seen of it, and nothing else, or a line that says why it cannot be."""

import io
import struct
import warnings
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageOps
from PIL.PngImagePlugin import PngInfo

import bvf
from bvf.files.digests import digest_of_bytes
from bvf.files.pictures import picture_in, seen_of, small

SECRET = b"HOME ADDRESS"
PAGE, ARCHIVE = b"<script>HOME ADDRESS</script>", b"PK\5\6" + bytes(18)
GREY = Image.linear_gradient("L").resize((24, 16))
COLOURS = Image.merge("RGB", (GREY, GREY.rotate(180), Image.radial_gradient("L").resize((24, 16))))
PROFILE = {"icc_profile": ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()}
KINDS = [("JPEG", "RGB", {}), ("JPEG", "CMYK", {}), ("JPEG", "L", {"progressive": True}), ("JPEG", "RGB", PROFILE)]
KINDS += [("PNG", "RGBA", {}), ("PNG", "P", {"dpi": (72, 72)}), ("PNG", "1", {}), ("PNG", "RGB", PROFILE)]
TEXTS = PngInfo()
TEXTS.add_text("Comment", SECRET.decode())
TEXTS.add_itxt("XML:com.adobe.xmp", SECRET.decode())
BESIDE = {"JPEG": {"comment": SECRET, "xmp": SECRET}, "PNG": {"pnginfo": TEXTS}}


def saved(form, mode="RGB", **more):
    file = io.BytesIO()
    COLOURS.convert(mode).save(file, form, **more)
    return file.getvalue()


def places(turned=1):
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = SECRET.decode(), turned
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0)})
    return exif


def with_part(kind, part):
    """A PNG with a further part behind its head."""
    packed = struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
    return saved("PNG")[:33] + packed + saved("PNG")[33:]


def looked_at(content):
    with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as picture:
        return ImageOps.exif_transpose(picture).convert("RGBA").tobytes()


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    def call(content):
        file = tmp_path_factory.mktemp("pictures") / "photo.html"
        file.write_bytes(content)
        return seen_of(bvf.Media("image", str(file), digest_of_bytes(content)))

    return call


@pytest.mark.parametrize(("form", "mode", "more"), KINDS)
def test_nothing_but_what_is_not_seen_is_left_out(seen, form, mode, more):
    own, ending = saved(form, mode, **more), {"JPEG": ".jpg", "PNG": ".png"}[form]
    for end in (b"", PAGE, ARCHIVE):
        assert seen(saved(form, mode, **more, **BESIDE[form], exif=places()) + end) == (own, ending)
    assert seen(own) == (own, ending)
    turned = saved(form, mode, **more, **BESIDE[form], exif=places(6))
    left, _ = seen(turned)
    assert (SECRET in turned, SECRET in left) == (True, False)
    assert looked_at(left) == looked_at(turned) != looked_at(own)


def test_of_several_contents_in_a_file_the_first_is_left(seen):
    for form, own in (("MPO", "JPEG"), ("PNG", "PNG")):
        both = saved(form, save_all=True, append_images=[GREY.convert("RGB")])
        assert seen(both)[0] == saved(own)
    jpeg = saved("JPEG")
    assert seen(jpeg[:4] + b"\0\x1c" + jpeg[6:18] + b"\2\2" + SECRET + jpeg[20:]) == (jpeg, ".jpg")
    head, pixels = saved("PNG")[:33], saved("PNG")[41:-16]
    behind = with_part(b"IDAT", pixels + ARCHIVE)[: len(head) + 12 + len(pixels + ARCHIVE)]
    assert seen(behind + saved("PNG")[-12:]) == (saved("PNG"), ".png")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        *((saved(form), "not a PNG or JPEG") for form in ("GIF", "BMP", "WEBP")),
        *((saved(form, icc_profile=PAGE * 9), "its colour profile is not one") for form in ("PNG", "JPEG")),
        (saved("JPEG")[:20] + b"A\xe5\0\x0e" + SECRET + saved("JPEG")[20:], "something else stands between its parts"),
        (with_part(b"HOME", b""), "not known, or too long"),
        (with_part(b"gAMA", SECRET), "not known, or too long"),
        (PAGE, "is not a picture"),
    ],
)
def test_what_cannot_be_left_out_is_refused_in_a_line(seen, content, why):
    with pytest.raises(bvf.BvfError, match=rf"photo\.html: .*{why}") as caught:
        seen(content)
    assert ("\n" in caught.value.message, "PNG" in caught.value.hint) == (False, True)


@given(st.sampled_from(KINDS), st.integers(0, 10**4), st.integers(0, 3), st.binary(min_size=1, max_size=9))
def test_a_picture_with_a_change_anywhere_is_refused_or_looks_as_it_did(seen, kind, at, cut, put):
    content = saved(*kind[:2], **kind[2], **BESIDE[kind[0]], exif=places(3))
    content = content[: at % len(content)] + put + content[at % len(content) + cut :]
    try:
        left, _ = seen(content)
    except bvf.BvfError:
        return
    assert SECRET not in left
    assert looked_at(left) == looked_at(content)


def test_a_small_picture_has_no_comment_of_the_large_one(tmp_path):
    content = saved("JPEG", **BESIDE["JPEG"], exif=places())
    (tmp_path / "a.jpg").write_bytes(content)
    assert SECRET not in small(picture_in(str(tmp_path / "a.jpg"), digest_of_bytes(content)))


def digests(file):
    return [each.media[0].digest for each in bvf.read_contexts(file).templates]


def test_an_exported_set_names_pictures_by_what_is_left_and_says_so(process, tmp_path):
    given = {"page.html": saved("PNG") + PAGE, "photo.jpg": saved("JPEG", exif=places()), "a.png": saved("PNG", "L")}
    for name, content in given.items():
        (tmp_path / name).write_bytes(content)
    rows = "".join(f"The [X] saw {name} when [Y],1,{name}\n" for name in given)
    (tmp_path / "set.csv").write_text(f"template,count,image\n{rows}")
    done = process("contexts", "export", "set.csv", "--licence", "MIT", "-o", "data")
    assert (done.returncode, [name in done.stderr for name in given]) == (0, [True, True, False])
    framed = process("contexts", "frame", "gender", "--by", "picture", "--pictures", ".", "-o", "framed.csv")
    assert (framed.returncode, [name in framed.stderr for name in given]) == (0, [False, True, False])
    again = process("contexts", "export", "data/set.parquet", "-o", "again")
    assert (again.returncode, again.stderr) == (0, "")
    wanted = [(saved("PNG"), "png"), (saved("JPEG"), "jpg"), (given["a.png"], "png")]
    files = {f"{digest_of_bytes(each)}.{ending}": each for each, ending in wanted}
    assert digests(tmp_path / "set.csv") == [digest_of_bytes(each) for each in given.values()]
    for folder in (tmp_path / "data", tmp_path / "again"):
        assert digests(folder / "set.parquet") == [digest_of_bytes(each) for each, _ in wanted]
        assert {file.name: file.read_bytes() for file in (folder / "images").iterdir()} == files
