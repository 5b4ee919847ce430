"""Image placeholders: BlurHash, ThumbHash, CSS gradients and previews.

    record = lqip.encode("photo.jpg", kinds=["lqip", "thumbhash"])
    for record in lqip.encode_directory("photos"):
        print(record["path"], record.get("blurhash"))

The records are those of `lqip encode`. The first call of `encode` starts one server process, which later calls share.
"""

from __future__ import annotations

import atexit
import http.client
import json
import os
import socket
import subprocess
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any, Literal, Union, cast

__all__ = ["ImageError", "Kind", "Record", "encode", "encode_directory", "program"]

Kind = Literal["blurhash", "lqip", "thumbhash", "preview", "svg", "css", "palette"]
Record = dict[str, Any]
Image = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]


def _installed_program() -> str:
    site = os.path.dirname(os.path.dirname(__file__))
    # In an environment, for one user, and with `pip install --target`.
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", "posix_user"), os.path.join(site, "bin")]
    return next((path for folder in folders if os.path.exists(path := os.path.join(folder, "lqip"))), "lqip")


program: str = _installed_program()
"""The path of the program."""


class ImageError(ValueError):
    """An image that cannot be encoded. `code` is the error code of the record, such as `corrupt`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def encode(image: Image, kinds: Iterable[Kind] = ("blurhash", "lqip")) -> Record:
    """Encodes an image, given by its path or its bytes. Several threads can call this function.

    Raises `OSError` if the file cannot be read, `ValueError` for an unknown kind, and `ImageError`.
    """
    if isinstance(image, (str, os.PathLike)):
        with open(image, "rb") as file:
            image = file.read()
    status, answer = _server().post(f"/v1/encode?kinds={','.join(kinds)}", bytes(image))
    if status == 200:
        return answer
    if answer.get("code") == "bad_parameter":
        raise ValueError(answer["detail"])
    raise ImageError(answer["code"], answer["detail"])


def encode_directory(
    directory: str | os.PathLike[str], kinds: Iterable[Kind] = ("blurhash", "lqip")
) -> Iterator[Record]:
    """Encodes the images in a directory and its subdirectories, sorted by path.

    A file that cannot be encoded gives a record with `error`. Raises `OSError` if a directory cannot be read, or if
    there are no images.
    """
    arguments = ["encode", "--quiet", "--kinds", ",".join(kinds), "--", os.fspath(directory)]
    with subprocess.Popen(
        [program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        problems: list[bytes] = []
        # Without a reader, a program that reports many problems would block.
        reader = threading.Thread(target=problems.extend, args=(process.stderr,))
        reader.start()
        try:
            for line in process.stdout:
                yield json.loads(line)
            process.stdout.close()
            process.wait()
        finally:
            process.kill()
            reader.join()
        # Status 1 means that some files have error records.
        if process.returncode not in (0, 1):
            message = b"".join(problems).decode(errors="replace").strip()
            raise (ValueError if process.returncode == 2 else OSError)(message)


class _Server:
    """A running `lqip serve` on a Unix socket that only this user can open."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.connections = threading.local()
        directory = tempfile.mkdtemp(prefix="lqip-")
        self.address = os.path.join(directory, "socket")
        limits = ["--max-bytes", "64M", "--timeout", "10", "--queue", "1000"]
        serve = [program, "serve", "--listen", f"unix:{self.address}", "--log", "none", *limits]
        # The shell stops the server when standard input closes: when Python exits, even if it is killed.
        script = '"$@" & read _; kill $!; wait; rm -rf "$0"'
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", script, directory, *serve],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if not name.startswith("LQIP_")},
            start_new_session=True,
        )
        deadline = time.monotonic() + 30
        while not self.is_listening():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise OSError(f"{program} serve did not start")
            time.sleep(0.002)

    def is_listening(self) -> bool:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            return probe.connect_ex(self.address) == 0

    def stop(self) -> None:
        if os.getpid() == self.owner and self.process.stdin:
            self.process.stdin.close()
            self.process.wait()

    def post(self, target: str, body: bytes) -> tuple[int, Record]:
        """Sends a request on the connection of this thread, or on a new one if the server has closed it."""
        while True:
            connection = cast("_Connection | None", getattr(self.connections, "open", None))
            is_new = connection is None
            self.connections.open = connection = connection or _Connection(self.address)
            try:
                connection.request("POST", target, body)
                response = connection.getresponse()
                answer = json.loads(response.read())
            except (http.client.HTTPException, OSError):
                self.connections.open = None
                connection.close()
                if is_new:
                    raise
                continue
            # Another encoding may follow at once.
            if response.status == 503:
                time.sleep(0.05)
                continue
            return response.status, answer


class _Connection(http.client.HTTPConnection):
    def __init__(self, address: str) -> None:
        super().__init__("localhost")
        self.address = address

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.address)


_lock = threading.Lock()
_running: _Server | None = None


def _server() -> _Server:
    """The server of this process; a forked process starts its own."""
    global _running
    with _lock:
        if _running is None or _running.owner != os.getpid() or _running.process.poll() is not None:
            _running = _Server()
            atexit.register(_running.stop)
        return _running
