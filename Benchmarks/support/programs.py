"""The programs under test, and their CPU time and memory."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Benchmarks"
BUILD = ROOT / ".build" / "benchmarks"
LQIP = Path(os.environ.get("LQIP", ROOT / ".build" / "release" / "lqip")).absolute()
"""The lqip program; the environment variable LQIP selects another build."""

if not LQIP.exists():
    raise SystemExit(f"{LQIP} is missing; `make build` builds it")

Record = dict[str, Any]


def encoded(files: Iterable[Path], *options: str) -> list[Record] | None:
    """The records of the files, in the same order; None if lqip does not support the options."""
    paths = [str(file) for file in files]
    command = [str(LQIP), "encode", *options, "--", *paths]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 2:
        return None
    records = {record["path"]: record for record in map(json.loads, result.stdout.splitlines())}
    for record in records.values():
        if "error" in record:
            raise SystemExit(f"{record['path']}: {record['error']['message']}")
    return [records[path] for path in paths]


def compiled(name: str, *modules: str) -> Path:
    """Compiles the C file `name` in Benchmarks with pkg-config libraries, and returns the program."""
    program = BUILD / name
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = output("pkg-config", "--cflags", "--libs", *modules) if modules else ""
    source = SOURCES / f"{name}.c"
    output(os.environ.get("CC", "cc"), "-O2", "-o", str(program), str(source), *shlex.split(flags))
    return program


def output(*command: str) -> str:
    """The standard output of a program; its standard error is passed through."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


class Cost(NamedTuple):
    """The CPU seconds and peak memory in bytes of a run."""

    user: float
    system: float
    peak: float

    @property
    def seconds(self) -> float:
        return self.user + self.system


SAMPLES = 21
SAMPLE_SECONDS = 0.2
"""The minimum CPU time of a sample. Linux divides CPU time into user and system at each timer tick, of about 4 ms, so a
sample repeats short runs until it spans many ticks."""


def costs(commands: Sequence[Sequence[str | Path]], rounds: int = SAMPLES) -> list[Cost]:
    """The cost of each command: medians of samples, taken in turn."""
    program = compiled("measure")

    def sample(command: Sequence[str | Path], runs: int) -> Cost:
        user, system, peak = map(int, output(str(program), str(runs), *map(str, command)).split())
        return Cost(user / 1e6 / runs, system / 1e6 / runs, peak)

    def runs_in_a_sample(command: Sequence[str | Path]) -> int:
        first = sample(command, 3)
        return max(1, round(SAMPLE_SECONDS / (first.user + first.system)))

    runs = list(map(runs_in_a_sample, commands))
    taken = [list(map(sample, commands, runs)) for _ in range(rounds)]
    return [Cost(*map(median, zip(*samples, strict=True))) for samples in zip(*taken, strict=True)]


def machine() -> str:
    """The processor, its cores and the system."""
    if platform.system() == "Darwin":
        model, system = output("sysctl", "-n", "machdep.cpu.brand_string"), "macOS"
    else:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        models = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
        model = next(models, platform.machine())
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    return f"{model}, {os.cpu_count()} cores, {system}"
