"""The program `lqip`, and a server that it runs for this process."""

from __future__ import annotations

import atexit
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sysconfig
import tempfile
import threading
import time
from typing import Any, cast


def _installed_program() -> str:
    site = os.path.dirname(os.path.dirname(__file__))
    # In an environment, for one user, and with `pip install --target`.
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", "posix_user"), os.path.join(site, "bin")]
    return next((path for folder in folders if os.path.exists(path := os.path.join(folder, "lqip"))), "lqip")


program: str = _installed_program()
"""The path of the program."""


MAX_BYTES = 64 << 20


class Server:
    """A running `lqip serve` on a Unix socket that only this user can open."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.connections = threading.local()
        directory = tempfile.mkdtemp(prefix="lqip-")
        self.address = os.path.join(directory, "socket")
        limits = ["--max-bytes", str(MAX_BYTES), "--timeout", "10", "--queue", "1000"]
        serve = [program, "serve", "--listen", f"unix:{self.address}", "--log", "none", *limits]
        # The shell stops the server when standard input closes, when Python exits or is killed, and ends with the server.
        watch = "{ read _ <&3; kill $server; } 2>&-"
        script = f'exec 3<&0; "$@" & server=$!; {watch} & wait $server; kill $! 2>&-; rm -rf "$0"'
        with tempfile.TemporaryFile() as errors:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", script, directory, *serve],
                stdin=subprocess.PIPE,
                stderr=errors,
                env={name: value for name, value in os.environ.items() if not name.startswith("LQIP_")},
                start_new_session=True,
            )
            deadline = time.monotonic() + 30
            while not self.is_listening():
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    errors.seek(0)
                    reason = errors.read().decode(errors="replace").strip().rpartition("\n")[2].removeprefix("lqip: ")
                    raise OSError(f"{program} serve did not start: {reason}")
                time.sleep(0.002)

    def is_listening(self) -> bool:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            return probe.connect_ex(self.address) == 0

    def stop(self) -> None:
        if os.getpid() == self.owner and self.process.stdin:
            self.process.stdin.close()
            self.process.wait()

    def post(self, target: str, body: bytes) -> tuple[int, dict[str, Any]]:
        """Sends a request on the connection of this thread, or on a new one if the server has closed it."""
        while True:
            connection = cast("_Connection | None", getattr(self.connections, "open", None))
            is_new = connection is None
            self.connections.open = connection = connection or _Connection(self.address)
            try:
                # A server that refuses the body closes the connection after its response.
                with contextlib.suppress(BrokenPipeError):
                    connection.request("POST", target, body)
                response = connection.getresponse()
                answer = json.loads(response.read())
            except (http.client.HTTPException, OSError):
                self.connections.open = None
                connection.close()
                if is_new:
                    raise
                continue
            # With `internal`, the image has failed.
            if response.status == 503 and answer["code"] != "internal":
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
_running: Server | None = None


def server() -> Server:
    """The server of this process; a forked process starts its own."""
    global _running
    with _lock:
        if _running is None or _running.owner != os.getpid() or _running.process.poll() is not None:
            _running = Server()
            atexit.register(_running.stop)
        return _running
