"""The server under test, on a port of its own of this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from support.programs import LQIP

STARTS_WITHIN = 5
ENDS_WITHIN = 30


class Server(NamedTuple):
    port: int
    process: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cpu_seconds(self) -> float:
        """User and system time of all threads, also of those that have ended."""
        fields = self._file("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident(self) -> int:
        """Bytes of memory."""
        return int(self._file("statm").split()[1]) * os.sysconf("SC_PAGESIZE")

    @property
    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process}/fd"))

    def _file(self, name: str) -> str:
        return Path(f"/proc/{self.process}/{name}").read_text()


@contextmanager
def running(*options: str) -> Iterator[Server]:
    """`lqip serve`, which is told to end afterwards and has to do so without complaint."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    command = [str(LQIP), "serve", "--listen", address, "--log", "none", *options]
    with subprocess.Popen(command) as process:
        try:
            server = Server(port, process.pid)
            wait_for(f"{server.url}/readyz", process)
            yield server
            if process.poll() is not None:
                raise SystemExit(f"the server ended by itself, with {process.returncode}")
        finally:
            process.terminate()
            try:
                process.wait(ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
    if process.returncode != 0:
        raise SystemExit(f"the server ended with {process.returncode}")


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + STARTS_WITHIN
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.02)
    raise SystemExit("the server does not start")
