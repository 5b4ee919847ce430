"""Tests the Python package in Packaging/python with the `lqip` on PATH. Pillow and mypy are optional."""

import asyncio
import importlib.util
import io
import json
import os
import pathlib
import pickle
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import typing
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from unittest.mock import Mock, patch

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "Tests/Images"
sys.path.insert(0, str(ROOT / "Packaging/python"))
import lqip  # noqa: E402

PHOTO = IMAGES / "size-640x480.png"
KINDS = typing.get_args(lqip.Kind)


def raised(error, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except error as found:
        return found
    raise AssertionError(f"{call.__name__} raised no {error.__name__}")


def message(*arguments, **options):
    return str(raised(ValueError, *arguments, **options))


def lines(*arguments):
    run = subprocess.run(["lqip", "encode", "--quiet", *arguments], capture_output=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


PRELUDE = f"""import lqip, os, pathlib, shutil, signal, sys, threading, time
from unittest.mock import patch
encode = lambda: os.write(1, lqip.encode({str(PHOTO)!r})["lqip"].encode() + b"\\n")
def server():
    shell = lqip._program._running.process.pid
    children = pathlib.Path(f"/proc/{{shell}}/task/{{shell}}/children").read_text().split()
    return shell, *(int(each) for each in children if pathlib.Path(f"/proc/{{each}}/comm").read_text() == "lqip\\n")
"""


def client(text, folder="", **variables):
    """Runs a program that imports the package, waits until its server has ended, and returns its output and errors."""
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(scratch, folder).mkdir(exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "Packaging/python"), **variables}
        # Python 3.12 warns of forks with several threads.
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PRELUDE + text]
        environment["TMPDIR"] = os.path.join(scratch, folder)
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
        while any(pathlib.Path(environment["TMPDIR"]).glob("lqip-*")):
            time.sleep(0.01)
    return run.stdout, run.stderr


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
    assert found == set(lqip.ImageRecord.__annotations__), found ^ set(lqip.ImageRecord.__annotations__)
    document = json.loads((ROOT / "Sources/lqip/Service/Resources/openapi.json").read_text())
    parameters = {value["name"] for value in document["paths"]["/v1/encode"]["post"]["parameters"]}
    names = {name.replace("_", "-") for name in lqip.Options.__annotations__}
    assert names == parameters - {"kinds", "profile"}, parameters
    codes = document["components"]["schemas"]["FailureCode"]["enum"]
    read_me = (ROOT / "Packaging/python/README.md").read_text()
    assert list(typing.get_args(lqip.ErrorCode)) == codes and all(f"`{code}`" in read_me for code in codes), codes
    for function in (lqip.encode, lqip.encode_async, lqip.encode_many, lqip.encode_directory, lqip.decode):
        assert "return" in typing.get_type_hints(function)


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
        assert "expected a path" in str(raised(TypeError, lqip.encode, wrong))
    for wrong in ("https://example.org/photo.jpg", f"data:image/png;base64,{'A' * 9000}"):
        text = message(lqip.encode, wrong)
        assert "lqip fetches no URLs" in text and len(text) < 200, text
    raised(FileNotFoundError, lqip.encode, "missing.jpg")
    assert message(lqip.encode, b"text").startswith("not a ")


def test_files_are_read_from_their_start_and_keep_their_position():
    with open(PHOTO, "rb") as file:
        file.read(10)
        assert lqip.encode(file) == lqip.encode(file) == lqip.encode(PHOTO)
        assert file.tell() == 10
    with subprocess.Popen(["cat", PHOTO], stdout=subprocess.PIPE) as pipe:
        assert lqip.encode(pipe.stdout) == lqip.encode(PHOTO)


def test_images_above_the_limit():
    assert raised(lqip.ImageError, lqip.encode, bytes(600 << 20)).code == "too_large"
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(1 << 32)
        error = raised(lqip.ImageError, lqip.encode, file.name)
    endless = SimpleNamespace(read=lambda size: bytes(min(size, 1 << 20)))
    assert raised(lqip.ImageError, lqip.encode, endless).code == "too_large"
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, str(copy)) == ("too_large", str(error))


def test_an_internal_error_is_not_retried():
    response = SimpleNamespace(status=503, read=lambda: b'{"code": "internal", "detail": "no memory"}')
    connections = lqip._program.server().connections
    connections.put(Mock(getresponse=Mock(side_effect=[response])))
    assert raised(lqip.ImageError, lqip.encode, PHOTO).code == "internal"
    connections.get()


def test_kinds_and_options():
    assert lqip.encode(PHOTO, "thumbhash").keys() & {*KINDS} == {"thumbhash"}
    assert lqip.encode(PHOTO, iter(["css", "lqip"])).keys() & {*KINDS} == {"css", "lqip"}
    batches = ((lqip.encode_many, [PHOTO]), (lqip.encode_directory, IMAGES))
    for call, argument in ((lqip.encode, PHOTO), *batches):
        for wrong in ("x", [], "lqip,css"):
            assert message(call, argument, wrong).endswith(f"supported: {', '.join(KINDS)}")
        names = (lqip.Options if call == lqip.encode else lqip.BatchOptions).__annotations__
        assert message(call, argument, output="x") == f"unknown option 'output'; supported: {', '.join(names)}"
        assert message(lambda: list(call(argument, preview_bytes=1))) == (
            "invalid value '1' for 'preview_bytes': expected a whole number from 128 to 8192")
        for name in {*names} & {"tiny_bytes", "preview_bytes", "jobs", "max_bytes", "max_pixels", "timeout"}:
            assert message(lambda: list(call(argument, **{name: 0}))).startswith(f"invalid value '0' for '{name}'")
        for name, wrong, expected in (
            ("exact", 1, "bool"), ("exact", "false", "bool"), ("exact", 0, "bool"), ("tiny_bytes", True, "int"),
            ("tiny_bytes", 2.5, "int"), ("background", 1, "str"),
        ):
            text = str(raised(TypeError, call, argument, **{name: wrong}))
            assert text == f"expected {expected} for '{name}', not {type(wrong).__name__}", text
        for wrong in ("a\0b", "x" * 100_000):
            text = message(call, argument, background=wrong)
            assert text.startswith("invalid value") and len(text) < 200, text
    (record,) = lqip.encode_many([PHOTO], jobs=1, max_bytes=1 << 20, max_pixels=10, timeout=2.5)
    assert record["error"]["code"] == "too_large"
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
    assert [record["error"]["code"] for record in lqip.encode_many(["missing", "missing"])] == ["unreadable"] * 2
    raised(ValueError, lqip.encode_many, ["a\0b"])
    assert message(lqip.encode_many, [PHOTO, str(IMAGES)]).endswith("is a directory; use encode_directory")
    for wrong in (str(PHOTO), PHOTO, PHOTO.read_bytes(), None):
        assert str(raised(TypeError, lqip.encode_many, wrong)) == f"expected a list of paths, not {type(wrong).__name__}"
    assert str(raised(TypeError, lqip.encode_many, [b"text"])) == "expected a path, not bytes; use encode for bytes"
    assert list(lqip.encode_directory(IMAGES)) == lines(str(IMAGES))
    raised(FileNotFoundError, lqip.encode_directory, "missing")
    raised(NotADirectoryError, lqip.encode_directory, PHOTO)
    with tempfile.TemporaryDirectory() as empty:
        assert list(lqip.encode_directory(empty)) == []


def test_a_program_that_fails():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program")
        with patch.object(lqip, "program", str(path)):
            # The program reports that it could not read a directory, or is killed.
            for end, expected in (("echo lqip: a: no >&2; exit 4", "a: no"), ("kill -9 $$", "SIGKILL")):
                path.write_text(f"#!/bin/sh\necho '{{}}'; {end}\n")
                path.chmod(0o755)
                for call, argument in ((lqip.encode_many, ["a", "b"]), (lqip.encode_directory, folder)):
                    assert expected in str(raised(OSError, list, call(argument)))
            assert "SIGKILL" in str(raised(OSError, lqip.decode, "#47d37520"))
    output = client(f"records = lqip.encode_many([{str(PHOTO)!r}] * 2000)\nprint(next(records)['lqip'])")
    assert output == ("#47d37520\n", ""), output


def test_decode_renders_each_kind():
    record = lqip.encode(PHOTO, KINDS)
    for kind in ("blurhash", "lqip", "thumbhash", "css", "tiny"):
        png = lqip.decode(str(record[kind]), width=40, height=30, kind="tiny" if kind == "tiny" else None)
        assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[16:24] == bytes([0, 0, 0, 40, 0, 0, 0, 30]), kind
    assert lqip.decode(record["css"]) == lqip.decode(str(record["css"]))
    raised(TypeError, lqip.decode, None)
    raised(TypeError, lqip.decode, "#47d37520", width=True)
    assert message(lqip.decode, "A" * 300_000) == "not a placeholder: a string of 300000 characters"
    assert "malformed" in message(lqip.decode, "#47d3752")
    assert message(lqip.decode, "#47d37520", width=0) == "invalid value '0' for 'width': expected a whole number from 1 to 4096"
    for wrong in ("", "-", "--help"):
        raised(ValueError, lqip.decode, wrong)


def test_pillow_images():
    from PIL import Image, ImageOps

    for path in sorted(IMAGES.glob("orientation-*.jpg")) + [PHOTO]:
        picture = Image.open(path)
        expected = lqip.encode(ImageOps.exif_transpose(picture), "thumbhash")
        found = lqip.encode(picture, "thumbhash")
        assert found["thumbhash"] == expected["thumbhash"] and found["width"] == expected["width"], path
    # Pillow turns the pixels of a TIFF when it loads them.
    turned = io.BytesIO()
    orientation = struct.pack(">HHIHxx", 0x0112, 3, 1, 6)
    Image.open(PHOTO).save(turned, "TIFF", exif=b"MM\0*\0\0\0\x08\0\1" + orientation + bytes(4))
    assert lqip.encode(Image.open(turned))["width"] == 480
    # The orientation, and a description that is a number.
    entries = orientation + struct.pack(">HHIf", 0x010E, 11, 1, 1.5)
    damaged = io.BytesIO()
    Image.open(PHOTO).convert("RGB").save(damaged, "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\2" + entries + bytes(4))
    for mode in ("RGB", "CMYK"):
        record = lqip.encode(Image.open(damaged).convert(mode))
        assert (record["width"], record["orientation"]) == (480, 6), record
    assert lqip.encode(Image.open(PHOTO))["blurhash"] == lqip.encode(PHOTO)["blurhash"]
    picture = Image.open(PHOTO)
    pictures = [picture.convert(mode) for mode in ("RGB", "RGBA", "RGBX", "CMYK", "YCbCr", "HSV", "LAB")]
    for each in (*pictures, picture.convert("RGBA").convert("RGBa")):
        # The conversion to some modes rounds colors.
        expected = {"YCbCr": "#47b37520", "HSV": "#37d57520"}.get(each.mode, "#47d37520")
        record = lqip.encode(each, "lqip")
        assert (record["lqip"], record["has_alpha"]) == (expected, each.mode in ("RGBA", "RGBa")), each.mode
    gray = picture.convert("L")
    deep = gray.convert("I").point(lambda value: value * 257)
    for each in (gray, gray.convert("LA"), gray.convert("F"), deep, deep.convert("I;16")):
        assert lqip.encode(each, "lqip")["lqip"] == "#66777522", each.mode
    for mode in ("1", "P", "PA", "I;16B"):
        assert lqip.encode(Image.new(mode, (40, 30)))["width"] == 40, mode
    truncated = Image.open(io.BytesIO(PHOTO.read_bytes()[:40000]))
    for wrong, reason in ((truncated, "truncated"), (Image.new("La", (40, 30)), "mode La")):
        error = raised(lqip.ImageError, lqip.encode, wrong)
        assert error.code == "corrupt" and reason in str(error), str(error)
    for name in ("save", "getexif"):
        with patch.object(picture, name, side_effect=AttributeError("damaged")):
            if name == "save":
                assert "damaged" in str(raised(lqip.ImageError, lqip.encode, picture))
            else:
                assert lqip.encode(picture)["width"] == 640


def test_types_with_mypy():
    client = """
import lqip
import PIL.Image
record = lqip.encode("photo.jpg", "lqip", preview_bytes=200)
lqip.encode(PIL.Image.open("photo.jpg"))
text: str = record["lqip"]
kinds: list[lqip.Kind] = ["lqip", "tiny"]
for each in lqip.encode_many(["a.jpg"], kinds):
    code: lqip.ErrorCode = each["error"]["code"]
lqip.encode_directory("photos", jobs=1, timeout=2.5)
png: bytes = lqip.decode(text, width=32) + lqip.decode(record["css"])
async def upload(body: bytes) -> int:
    return (await lqip.encode_async(body))["width"]
"""
    from typing_extensions import TypedDict

    assert type(lqip.ImageRecord) is type(TypedDict("Other", {})), "Pydantic rejects it before Python 3.12"
    mistakes = ["lqip.encode('a', 'lpiq')", "lqip.encode('a', size=3)", "lqip.encode('a', jobs=3)", "lqip.encode('a')['widht']", "lqip.encode(3)"]

    def check(text):
        with tempfile.TemporaryDirectory() as scratch:
            pathlib.Path(scratch, "client.py").write_text(text)
            command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", scratch,
                       str(ROOT / "Packaging/python/lqip"), f"{scratch}/client.py"]
            return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    assert check(client).startswith("Success"), check(client)
    found = check("import lqip\n" + "\n".join(mistakes) + "\n")
    assert len(re.findall(r"client.py:\d+: error", found)) == len(mistakes), found


def test_read_me_examples():
    text = (ROOT / "Packaging/python/README.md").read_text()
    example, upload = re.findall(r"```python\n(.*?)```", text, re.S)
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(scratch, "photos").symlink_to(IMAGES)
        pathlib.Path(scratch, "photo.jpg").write_bytes(PHOTO.read_bytes())
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "Packaging/python")}
        subprocess.run([sys.executable, "-c", example], cwd=scratch, env=environment, stdout=subprocess.DEVNULL, check=True)
    names = {}
    exec(upload, names)
    data = (IMAGES / "jpeg-bricks-progressive-272x264.jpg").read_bytes()
    for size, expected in ((len(data), "200 OK"), (len(data) // 2, "422 Unprocessable Content")):
        responses = []
        environ = {"CONTENT_LENGTH": str(size), "wsgi.input": io.BytesIO(data)}
        (body,) = names["application"](environ, lambda status, headers: responses.append(status))
        assert responses == [expected] and ("width" in json.loads(body)) == (expected == "200 OK"), body
    assert "complete" not in lqip.encode(data[:len(data) // 2])


def test_a_server_that_does_not_start():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "lqip").write_text("#!/bin/sh\necho first >&2; echo lqip: no memory >&2; exit 1\n")
        pathlib.Path(folder, "lqip").chmod(0o755)
        errors = client("encode()", PATH=f"{folder}:/bin")[1]
    assert errors.endswith("OSError: the server of this package, lqip serve, did not start: no memory\n"), errors
    assert "lqip: not found" in client("encode()", PATH="")[1]
    # As in a container without a shell. It is no FileNotFoundError, as for a missing image.
    errors = client("with patch('subprocess.Popen', side_effect=FileNotFoundError('/bin/sh')): encode()")[1]
    assert errors.endswith("\nOSError: the server of this package, lqip serve, did not start: /bin/sh\n"), errors


def test_forked_processes_start_their_own_server():
    for end in ("sys.exit()", "os.kill(os.getpid(), signal.SIGKILL)"):
        output = client(f"""encode()
if os.fork() == 0:
    # The server of the parent ends before this process.
    while os.listdir(os.environ["TMPDIR"]): time.sleep(0.01)
    encode()
    os._exit(0)
{end}""")
        assert output == ("#47d37520\n" * 2, ""), output
    output = client("""is_starting = threading.Event()
class Server(lqip._program.Server):
    def __init__(self):
        is_starting.set()
        super().__init__()
lqip._program.Server = Server
threading.Thread(target=encode).start()
is_starting.wait()
child = os.fork()
encode()
if child: os.waitpid(child, 0)""")
    assert output == ("#47d37520\n" * 3, ""), output


def test_a_server_that_was_killed_is_replaced():
    for also in ("", "shutil.rmtree(os.path.dirname(lqip._program._running.address))"):
        # The stopped shell does not notice the end of the server.
        output = client(f"""encode()
shell, program = server()
os.kill(shell, signal.SIGSTOP)
os.kill(program, signal.SIGKILL)
{also}
encode()""")
        assert output == ("#47d37520\n" * 2, ""), output
    errors = client("with patch('socket.socket.connect', side_effect=FileNotFoundError('socket')): encode()")[1]
    assert errors.endswith("\nOSError: the server of this package failed: socket\n"), errors


def test_python_exits_with_a_stopped_server_and_blocked_signals():
    output = client("""signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
encode()
os.kill(server()[1], signal.SIGSTOP)""")
    assert output == ("#47d37520\n", ""), output


def test_hundreds_of_threads_and_a_long_temporary_directory():
    data = (IMAGES / "size-1x1.png").read_bytes()
    with ThreadPoolExecutor(600) as pool:
        together = threading.Barrier(600)
        assert len(list(pool.map(lambda _: together.wait() >= 0 and lqip.encode(data, "lqip"), range(1200)))) == 1200
    assert client("encode()", "x" * 100) == ("#47d37520\n", "")


for name, test in list(globals().items()):
    needed = {"test_pillow_images": "PIL", "test_types_with_mypy": "mypy"}.get(name)
    if needed and not importlib.util.find_spec(needed):
        print(f"skipped {name}: {needed} not found")
    elif name.startswith("test_"):
        test()
