"""The program `lqip`, and a server that it runs for this process."""

from __future__ import annotations

import atexit
import contextlib
import http.client
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import threading
import time
from typing import Any


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
        folder = tempfile.gettempdir()
        # The path of a socket has at most 107 bytes.
        self.directory = tempfile.mkdtemp(prefix="lqip-", dir=folder if len(os.fsencode(folder)) <= 80 else "/tmp")
        self.address = os.path.join(self.directory, "socket")
        # A request waits while all are in use. Open connections are used first.
        self.connections: queue.LifoQueue[http.client.HTTPConnection] = queue.LifoQueue()
        for _ in range(64):
            self.connections.put(http.client.HTTPConnection("localhost"))
        limits = ["--max-bytes", str(MAX_BYTES), "--timeout", "10", "--queue", "1000"]
        # The shell kills the server when standard input closes, as when Python is killed, and ends with the server.
        # SIGKILL cannot be blocked or ignored, and ends a stopped process.
        end = 'end() { PATH=/bin:/usr/bin:$PATH rm -rf "$0"; kill -9 -$$; }'
        script = f'{end}; exec 3<&0; {{ read _ <&3; end; }} 2>&- & "$@" </dev/null; end'
        command = ["/bin/sh", "-c", script, self.directory, program, "serve", "--listen", f"unix:{self.address}"]
        command += ["--log", "none", *limits]
        env = {name: value for name, value in os.environ.items() if not name.startswith("LQIP_")}
        with tempfile.TemporaryFile() as errors:
            try:
                self.process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stderr=errors, env=env, start_new_session=True
                )
            except OSError:
                os.rmdir(self.directory)
                raise
            deadline = time.monotonic() + 30
            while not self.is_listening():
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    errors.seek(0)
                    reason = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
                    raise OSError(reason.removeprefix("lqip: "))
                time.sleep(0.002)

    def is_listening(self) -> bool:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            return probe.connect_ex(self.address) == 0

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        shutil.rmtree(self.directory, ignore_errors=True)


# A fork waits for it, so that a child has either all or nothing of a server. A signal handler may need it again.
_lock = threading.RLock()
_running: Server | None = None


def server() -> Server:
    """The server of this process, which is started if it is not running."""
    global _running
    with _lock:
        if _running is None or _running.process.poll() is not None:
            try:
                _running = Server()
            except OSError as error:
                raise OSError(f"the server of this package, {program} serve, did not start: {error}") from error
        return _running


def post(target: str, body: bytes) -> tuple[int, dict[str, Any]]:
    """Sends a request, again if the server is busy, has closed an idle connection, or was replaced."""
    failures = 0
    while True:
        running = server()
        connection = running.connections.get()
        is_new = connection.sock is None
        try:
            if is_new:
                connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                connection.sock.connect(running.address)
            # A server that refuses the body closes the connection after its response.
            with contextlib.suppress(BrokenPipeError):
                connection.request("POST", target, body)
            response = connection.getresponse()
            answer = json.loads(response.read())
            # With `internal`, the image has failed.
            if response.status != 503 or answer["code"] == "internal":
                return response.status, answer
            time.sleep(0.05)
        except (http.client.HTTPException, OSError) as error:
            connection.close()
            failures += is_new
            # A server that is killed can cut off a request, and then refuse a connection.
            if failures == 3:
                raise OSError(f"the server of this package failed: {error}") from error
            if is_new and isinstance(error, (FileNotFoundError, ConnectionRefusedError)):
                with _lock:
                    running.stop()
        finally:
            running.connections.put(connection)


@atexit.register
def _stop() -> None:
    with _lock:
        if _running:
            _running.stop()


def _forget() -> None:
    """Closes the pipe in a forked process, which is not the parent of the server and so waits for nothing."""
    global _running
    if _running:
        _running.process.communicate()
    _running = None
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget)
