"""Tests the Python package in Packaging/python with the `lqip` on PATH. Pillow and mypy are optional."""

import asyncio
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "Tests/Images"
sys.path.insert(0, str(ROOT / "Packaging/python"))
import lqip  # noqa: E402

PHOTO = IMAGES / "size-640x480.png"
KINDS = typing.get_args(lqip.Kind)


def raised(error, call, *arguments, **options):
    try:
        list(call(*arguments, **options))
    except error as found:
        return str(found)
    raise AssertionError(f"{call.__name__} raised no {error.__name__}")


def lines(*arguments):
    run = subprocess.run(["lqip", "encode", "--quiet", *arguments], capture_output=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_types_match_the_program():
    run = subprocess.run(["lqip", "encode", "--help"], capture_output=True, text=True, check=True)
    listed = re.search(r"placeholder kinds: ([a-z,\s]+)\(default", run.stdout)[1]
    assert KINDS == tuple(name.strip() for name in listed.split(",")), listed
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(scratch, "image.gif").write_bytes((IMAGES / "gif-animated-two-frames.gif").read_bytes())
        with open(scratch.encode() + b"/\xff.png", "wb") as file:
            file.write((IMAGES / "blocks-diagonal-red-green-blue.png").read_bytes())
        pathlib.Path(scratch, "bad.png").write_bytes(b"text")
        records = list(lqip.encode_directory(scratch, KINDS, lqip="six"))
    found = {name for record in records for name in record}
    assert found == set(lqip.Record.__annotations__), found ^ set(lqip.Record.__annotations__)
    document = json.loads((ROOT / "Sources/lqip/Service/Resources/openapi.json").read_text())
    parameters = {value["name"] for value in document["paths"]["/v1/encode"]["post"]["parameters"]}
    names = {name.replace("_", "-") for name in lqip.Options.__annotations__}
    assert names == parameters - {"kinds", "profile"}, parameters


def test_encode_takes_paths_bytes_and_files():
    (expected,) = lines("--kinds", ",".join(KINDS), str(PHOTO))
    del expected["path"]
    data = PHOTO.read_bytes()
    for image in (PHOTO, str(PHOTO), data, bytearray(data), memoryview(data), io.BytesIO(data)):
        assert lqip.encode(image, KINDS) == expected, type(image)
    assert asyncio.run(lqip.encode_async(PHOTO, KINDS)) == expected
    with ThreadPoolExecutor(8) as pool:
        assert all(record == expected for record in pool.map(lambda _: lqip.encode(data, KINDS), range(64)))
    for wrong in (1024, None, io.StringIO("text"), [data]):
        assert "expected a path" in raised(TypeError, lqip.encode, wrong)
    raised(FileNotFoundError, lqip.encode, "missing.jpg")
    assert raised(lqip.ImageError, lqip.encode, b"text").startswith("not a ")


def test_kinds_and_options():
    assert lqip.encode(PHOTO, "thumbhash").keys() & {*KINDS} == {"thumbhash"}
    assert lqip.encode(PHOTO, iter(["css", "lqip"])).keys() & {*KINDS} == {"css", "lqip"}
    assert "thumbhash" in raised(ValueError, lqip.encode, PHOTO, "x")
    assert "unknown" in raised(ValueError, lqip.encode, PHOTO, size=3)
    for options in ({"components": "2x2", "blurhash": "fitted"}, {"preview_bytes": 200, "exact": True, "verify": False}):
        arguments = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}")
                     for name, value in options.items() if value]
        (expected,) = lines("--kinds=blurhash,preview", *arguments, str(PHOTO))
        assert {"path": str(PHOTO), **lqip.encode(PHOTO, ["blurhash", "preview"], **options)} == expected
        assert list(lqip.encode_many([PHOTO], ["blurhash", "preview"], **options)) == [expected]


def test_many_files_keep_their_order():
    paths = [PHOTO, IMAGES / "size-31x57.png", "missing.jpg", IMAGES / "size-640x480.png", PHOTO]
    records = list(lqip.encode_many(iter(paths)))
    assert [record["path"] for record in records] == [str(path) for path in paths]
    assert ["error" in record for record in records] == [False, False, True, False, False]
    assert list(lqip.encode_many([])) == []
    raised(ValueError, lqip.encode_many, ["a\0b"])
    assert list(lqip.encode_directory(IMAGES)) == lines(str(IMAGES))
    raised(OSError, lqip.encode_directory, "missing")


def test_decode_renders_each_kind():
    record = lqip.encode(PHOTO, KINDS)
    for kind in ("blurhash", "lqip", "thumbhash", "css", "tiny"):
        png = lqip.decode(str(record[kind]), width=40, height=30, kind="tiny" if kind == "tiny" else None)
        assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[16:24] == bytes([0, 0, 0, 40, 0, 0, 0, 30]), kind
    assert "malformed" in raised(ValueError, lqip.decode, "#47d3752")
    for wrong in ("", "-", "--help"):
        raised(ValueError, lqip.decode, wrong)


def test_pillow_images():
    from PIL import Image, ImageOps

    for path in sorted(IMAGES.glob("orientation-*.jpg")) + [PHOTO]:
        picture = Image.open(path)
        expected = lqip.encode(ImageOps.exif_transpose(picture), "thumbhash")
        found = lqip.encode(picture, "thumbhash")
        assert found["thumbhash"] == expected["thumbhash"] and found["width"] == expected["width"], path
    assert lqip.encode(Image.open(PHOTO))["blurhash"] == lqip.encode(PHOTO)["blurhash"]
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "I;16"):
        assert lqip.encode(Image.new(mode, (40, 30)))["width"] == 40, mode


def test_types_with_mypy():
    client = """
import lqip
record = lqip.encode("photo.jpg", "lqip", preview_bytes=200)
text: str = record["lqip"]
kinds: list[lqip.Kind] = ["lqip", "tiny"]
for each in lqip.encode_many(["a.jpg"], kinds):
    print(each["error"]["code"])
png: bytes = lqip.decode(text, width=32)
async def upload(body: bytes) -> int:
    return (await lqip.encode_async(body))["width"]
"""
    mistakes = ["lqip.encode('a', 'lpiq')", "lqip.encode('a', size=3)", "lqip.encode('a')['widht']", "lqip.encode(3)"]

    def check(text):
        with tempfile.TemporaryDirectory() as scratch:
            pathlib.Path(scratch, "client.py").write_text(text)
            command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", scratch,
                       str(ROOT / "Packaging/python/lqip"), f"{scratch}/client.py"]
            return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    assert check(client).startswith("Success"), check(client)
    found = check("import lqip\n" + "\n".join(mistakes) + "\n")
    assert len(re.findall(r"client.py:\d+: error", found)) == len(mistakes), found


def test_read_me_example():
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "Packaging/python/README.md").read_text(), re.S)
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(scratch, "photos").symlink_to(IMAGES)
        pathlib.Path(scratch, "photo.jpg").write_bytes(PHOTO.read_bytes())
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "Packaging/python")}
        subprocess.run([sys.executable, "-c", example], cwd=scratch, env=environment, stdout=subprocess.DEVNULL, check=True)


for name, test in list(globals().items()):
    needed = {"test_pillow_images": "PIL", "test_types_with_mypy": "mypy"}.get(name)
    if needed and not importlib.util.find_spec(needed):
        print(f"skipped {name}: {needed} not found")
    elif name.startswith("test_"):
        test()
