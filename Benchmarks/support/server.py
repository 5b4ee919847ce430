"""The server under test, on a free local port."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from support.programs import LQIP

START_TIMEOUT = 5
STOP_TIMEOUT = 30


class Server(NamedTuple):
    port: int
    process: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cpu_seconds(self) -> float:
        """User and system time of the server and its workers, including terminated ones."""
        return sum(sum(map(int, stat[11:15])) for stat in self._stats()) / os.sysconf("SC_CLK_TCK")

    @property
    def resident(self) -> int:
        """The resident memory of the server and its workers in bytes; shared pages count for each process."""
        return sum(int(stat[21]) for stat in self._stats()) * os.sysconf("SC_PAGESIZE")

    @property
    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process}/fd"))

    def _stats(self) -> list[list[str]]:
        """The fields of `/proc/PID/stat` after the name, for the server's process and its descendants."""
        stats: dict[int, list[str]] = {}
        children: dict[int, list[int]] = defaultdict(list)
        for process in map(int, filter(str.isdigit, os.listdir("/proc"))):
            # The process may have ended.
            with suppress(OSError):
                stats[process] = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                children[int(stats[process][1])].append(process)
        found = [self.process]
        for process in found:
            found += children[process]
        return [stats[process] for process in found]


@contextmanager
def running(*options: str) -> Iterator[Server]:
    """Runs `lqip serve`. Afterwards, terminates it and requires exit status 0."""
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
                raise SystemExit(f"the server exited early with status {process.returncode}")
        finally:
            process.terminate()
            try:
                process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
    if process.returncode != 0:
        raise SystemExit(f"the server exited with status {process.returncode}")


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_TIMEOUT
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.02)
    raise SystemExit("the server did not start")
