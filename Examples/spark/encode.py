"""A Spark job that encodes many images. Each task streams its files through `lqip encode --tar -`.

Usage: spark-submit encode.py --lqip LQIP --output DIRECTORY (INPUT... | --list FILE) [-- OPTION...]
"""

from __future__ import annotations

import argparse
import base64
import errno
import json
import os
import queue
import random
import re
import stat
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyarrow import fs
from pyspark import SparkFiles
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

RECORD = """
    path string, path_base64 string, mimetype string, bytes long, width int, height int, orientation int,
    has_alpha boolean, opaque boolean, animated boolean, frame_count int, blurhash string, components array<int>,
    lqip string, lqip2 string, thumbhash string, tiny string, preview string, svg string, css int,
    palette array<struct<color: string, share: double>>, average_color string, complete boolean, warnings array<string>,
    error struct<code: string, message: string>
"""
ROW = f"{RECORD.rstrip()}, version string"
ENTRY = "name binary, bytes long, directory boolean, version string"

# The files that `lqip encode DIRECTORY` selects: those with an image extension or signature.
EXTENSION = re.compile(rb"\.(jpe?g|jpe|jfif|a?png|webp|gif|avif|hei[cf]|hif)\Z", re.IGNORECASE)
SIGNATURES = re.compile(
    rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|RIFF....WEBP|GIF8[79]a|"
    rb"....ftyp(avi[fs]|hei[cxms]|hev[cxms]|mif[12]|msf1|miaf|MiH[EB])",
    re.DOTALL,
)

URI = re.compile(rb"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

# The errors of an unreadable file. ValueError: the name contains NUL, or its URI scheme is unknown to pyarrow.
UNREADABLE = (OSError, ValueError)

# The errors of a store that asks for fewer requests, and the pauses before the call is repeated, in seconds.
OVERLOADED = re.compile(r"\b(429|503)\b|slow.?down|too many requests|throttl|unavailable", re.IGNORECASE)
PAUSES = (1, 2, 4, 8, 16, 32)

# The fixed cost of a file in the size of a task, in bytes.
FILE_OVERHEAD = 64 << 10
HEAD = 16
READ_AHEAD = 16
ROWS_PER_BATCH = 1000


class Entry(NamedTuple):
    """A file or directory, and its path or URI as in records."""

    name: bytes
    bytes: int | None
    """None if the file is missing."""
    directory: bool = False
    version: str | None = None
    """The size and the modification time in the listing."""


def version(size: int, modified_ns: int | None) -> str:
    return f"{size} {modified_ns or 0}"


class Local:
    """Local and mounted files."""

    def __init__(self, base: bytes) -> None:
        self.base = base

    def entry(self, name: bytes) -> Entry:
        status = os.stat(os.path.join(self.base, name))
        return self._entry(name, status, stat.S_ISDIR(status.st_mode))

    def entries(self, directory: bytes) -> Iterator[Entry]:
        with os.scandir(os.path.join(self.base, directory)) as found:
            for item in found:
                name = os.path.join(directory, item.name)
                if item.name.startswith(b".") or item.is_symlink():
                    continue
                # A file that is deleted meanwhile must not end the listing.
                with suppress(FileNotFoundError):
                    if item.is_dir():
                        yield Entry(name, 0, True)
                    elif item.is_file():
                        yield self._entry(name, item.stat())

    def _entry(self, name: bytes, status: os.stat_result, directory: bool = False) -> Entry:
        return Entry(name, status.st_size, directory, version(status.st_size, status.st_mtime_ns))

    def read(self, name: bytes, limit: int) -> bytes:
        # Without O_NONBLOCK, opening a FIFO would block the task.
        with open(os.open(os.path.join(self.base, name), os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            return file.read(limit)


class Remote:
    """Objects in a store that pyarrow supports: S3, HDFS, Google Cloud Storage, Azure."""

    def __init__(self) -> None:
        self.stores: dict[str, tuple[fs.FileSystem, str]] = {}

    def entry(self, name: bytes) -> Entry:
        system, path = self._opened(name)
        return self._entry(name, patiently(system.get_file_info, path))

    def entries(self, directory: bytes) -> Iterator[Entry]:
        system, path = self._opened(directory)
        for info in patiently(system.get_file_info, fs.FileSelector(path)):
            if not info.base_name.startswith(".") and info.base_name:
                yield self._entry(os.path.join(directory, info.base_name.encode()), info)

    def read(self, name: bytes, limit: int) -> bytes:
        system, path = self._opened(name)


        def content() -> bytes:
            with system.open_input_stream(path) as stream:
                return stream.read(limit)

        return patiently(content)

    def _entry(self, name: bytes, info: fs.FileInfo) -> Entry:
        if info.type == fs.FileType.NotFound:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        size = info.size or 0
        return Entry(name, size, info.type == fs.FileType.Directory, version(size, info.mtime_ns))

    def _opened(self, name: bytes) -> tuple[fs.FileSystem, str]:
        root, path = re.fullmatch(r"([^:]+://[^/]*/?)(.*)", name.decode(), re.DOTALL).groups()
        if root not in self.stores:
            # Hadoop also names the scheme of S3 s3a or s3n.
            self.stores[root] = fs.FileSystem.from_uri(re.sub(r"\As3[an]:", "s3:", root))
        store, prefix = self.stores[root]
        return store, f"{prefix.rstrip('/')}/{path}".rstrip("/") or "/"


def patiently(call: Callable, *arguments: object) -> object:
    """Calls a function of a store. While the store is overloaded, repeats the call after growing pauses."""
    for pause in PAUSES:
        try:
            return call(*arguments)
        except OSError as error:
            if not OVERLOADED.search(str(error)):
                raise
        time.sleep(pause * random.uniform(0.5, 1.5))
    return call(*arguments)


Find = Callable[[Iterable[bytes]], Iterator[Entry]]


class Files:
    """Local and remote files, by name."""

    def __init__(self, base: bytes) -> None:
        self.local, self.remote = Local(base), Remote()

    def of(self, name: bytes) -> Local | Remote:
        return self.remote if URI.match(name) else self.local

    def named(self, names: Iterable[bytes]) -> Iterator[Entry]:
        """The input directories. Raises an error if one is missing."""
        for name in names:
            entry = self.of(name).entry(name)
            if not entry.directory:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name)
            yield entry

    def listed(self, names: Iterable[bytes]) -> Iterator[Entry]:
        """The files of a list. Missing files get their error records when they are read."""
        for name in names:
            try:
                yield self.of(name).entry(name)._replace(directory=False)
            except UNREADABLE:
                yield Entry(name, None)

    def within(self, directories: Iterable[bytes]) -> Iterator[Entry]:
        """The direct children of directories. Deleted directories are skipped."""
        for directory in directories:
            with suppress(FileNotFoundError):
                yield from self.of(directory).entries(directory)


class Content(NamedTuple):
    """The content of a file, or the error from reading it."""

    entry: Entry
    head: bytes = b""
    data: bytes | None = None
    """None if the file exceeds the size limit."""
    error: OSError | ValueError | None = None

    @property
    def is_image(self) -> bool:
        return bool(EXTENSION.search(self.entry.name) or SIGNATURES.match(self.head))

    @property
    def failure(self) -> dict:
        """The error record of an unreadable file, in the format of lqip."""
        path = shown(self.entry.name)
        exact = {"path_base64": base64.b64encode(self.entry.name).decode()}
        error = {"code": "unreadable", "message": getattr(self.error, "strerror", None) or str(self.error)}
        return {"path": path, **(exact if path.encode() != self.entry.name else {}), "error": error}


def shown(name: bytes) -> str:
    """The name as `path` in records."""
    return name.decode(errors="replace")


class Encoder:
    """A running lqip process that receives files and returns their records in the same order."""

    def __init__(self, command: list[str]) -> None:
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors
        )
        self.sent: deque[Entry] = deque()
        self.records: queue.SimpleQueue[dict | None] = queue.SimpleQueue()
        # A thread drains the records: if the pipe were full, lqip would stop reading files.
        threading.Thread(target=self._receive, daemon=True).start()

    def __enter__(self) -> Encoder:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def _receive(self) -> None:
        try:
            for line in self.process.stdout:
                self.records.put(json.loads(line))
        finally:
            self.records.put(None)

    def send(self, entry: Entry, data: bytes | None) -> None:
        """Sends a file. Without data, only its size is sent."""
        info = tarfile.TarInfo(os.fsdecode(entry.name))
        if data is None:
            # A sparse file that consists of a single hole.
            info.pax_headers = {"GNU.sparse.size": str(entry.bytes), "GNU.sparse.map": ""}
            data = b""
        info.size = len(data)
        self.sent.append(entry)
        padding = bytes(-len(data) % tarfile.BLOCKSIZE)
        self._write(info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"), data, padding)

    def available(self) -> Iterator[dict]:
        """The records received so far."""
        while not self.records.empty():
            yield self._checked(self.records.get())

    def finish(self) -> Iterator[dict]:
        """Ends the archive and returns the remaining records."""
        self._write(bytes(2 * tarfile.BLOCKSIZE))
        self.process.stdin.close()
        while (record := self.records.get()) is not None:
            yield self._checked(record)
        if self.process.wait() not in (0, 1) or self.sent:
            raise self._failure()

    def _write(self, *parts: bytes) -> None:
        try:
            for part in parts:
                self.process.stdin.write(part)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._failure() from None

    def _checked(self, record: dict | None) -> dict:
        if record is None or not self.sent or record["path"] != shown(self.sent[0].name):
            raise self._failure()
        return record | {"version": self.sent.popleft().version}

    def _failure(self) -> RuntimeError:
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        log = self.errors.read().decode(errors="replace").strip()
        return RuntimeError(
            f"lqip exited with status {self.process.returncode}, {len(self.sent)} files without a record: {log}"
        )


class Task(NamedTuple):
    """The work of a Spark task."""

    files: Files
    command: list[str]
    max_bytes: int
    any_name: bool
    """Whether to encode files without an image extension or signature."""

    def records(self, entries: Iterator[Entry]) -> Iterator[dict]:
        """Encodes files. At most READ_AHEAD files are in memory."""
        with Encoder([SparkFiles.get(self.command[0]), *self.command[1:]]) as encoder:
            for content in self._contents(entries):
                if content.error:
                    yield content.failure
                elif self.any_name or content.is_image:
                    encoder.send(content.entry, content.data)
                yield from encoder.available()
            yield from encoder.finish()

    def _contents(self, entries: Iterator[Entry]) -> Iterator[Content]:
        ahead: deque[Future[Content]] = deque()
        with ThreadPoolExecutor(READ_AHEAD) as readers:
            for entry in entries:
                ahead.append(readers.submit(self._content, entry))
                if len(ahead) == READ_AHEAD:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()

    def _content(self, entry: Entry) -> Content:
        store = self.files.of(entry.name)
        try:
            entry = store.entry(entry.name) if entry.bytes is None else entry
            if entry.bytes > self.max_bytes:
                return Content(entry, store.read(entry.name, HEAD))
            data = store.read(entry.name, self.max_bytes + 1)
        except UNREADABLE as error:
            return Content(entry, error=error)
        entry = entry._replace(bytes=len(data))
        return Content(entry, data[:HEAD], data if len(data) <= self.max_bytes else None)


class Job:
    """The driver. It holds only the file count, not the names."""

    def __init__(self, spark: SparkSession, output: str, task: Task) -> None:
        self.spark, self.output, self.task = spark, output, task
        self.listing = f"{output}/_listing"
        self.run = f"{datetime.now(timezone.utc):%Y%m%dT%H%M%S%f}"

    def list_directories(self, names: list[str]) -> DataFrame:
        """The files in directories, listed level by level."""
        roots = self.spark.createDataFrame([(name.encode(),) for name in names], "name binary")
        level = self._kept(roots, self.task.files.named, "level=0")
        levels = []
        while count := level.where("directory").count():
            levels.append(f"level={len(levels) + 1}")
            parts = min(count, max(4 * self.spark.sparkContext.defaultParallelism, count // 1000))
            directories = level.where("directory").repartition(parts)
            level = self._kept(directories, self.task.files.within, levels[-1])
        return self._read(*levels).where("not directory")

    def list_file(self, path: str) -> DataFrame:
        """The files in a list, one per line."""
        lines = self.spark.read.text(path).where("value != ''")
        return self._kept(lines.select(F.col("value").cast("binary").alias("name")), self.task.files.listed, "list")

    def remaining(self, found: DataFrame, retry: bool, slice_size: int) -> DataFrame:
        """The files whose latest row in the output is missing or of another version, each assigned to a slice."""
        slices = -(-found.count() // slice_size)
        name = F.coalesce(F.unbase64("path_base64"), F.col("path").cast("binary")).alias("name")
        # Only these columns of the output are read.
        rows = self.rows().select(name, "run", F.struct("version", F.col("error.code").alias("code")).alias("row"))
        latest = rows.groupBy("name").agg(F.max_by("row", "run").alias("row")).select("name", "row.*")
        done = latest.where("code is distinct from 'unreadable'" if retry else "true")
        done = done.select("name", F.col("version").alias("encoded"))
        # A row without a version is of a file that could not be read.
        left = found.dropDuplicates(["name"]).join(done.withColumn("is_done", F.lit(True)), "name", "left")
        left = left.where("is_done is null or encoded != version").drop("is_done", "encoded")
        left = left.withColumn("slice", F.pmod(F.xxhash64("name"), F.lit(slices or 1)).cast("int"))
        left.repartition(slices or 1, "slice").write.partitionBy("slice").parquet(f"{self.listing}/left")
        return self.spark.read.schema(f"{ENTRY}, slice int").parquet(f"{self.listing}/left")

    def encode(self, files: DataFrame, task_bytes: int) -> None:
        """Encodes the slices in turn, and appends each to the output before the next one starts."""
        schema = to_arrow_schema(StructType.fromDDL(ROW))
        size = F.sum(F.coalesce("bytes", F.lit(0)) + FILE_OVERHEAD)
        slices = files.groupBy("slice").agg(F.count("*"), size).orderBy("slice").collect()
        task = self.task
        for done, (number, count, weight) in enumerate(slices, 1):
            parts = files.where(F.col("slice") == number).repartition(-(-weight // task_bytes), "name")
            rows = parts.mapInArrow(lambda batches: in_batches(task.records(entries(batches)), schema), ROW)
            rows.write.parquet(f"{self.output}/run={self.run}/slice={number}")
            print(f"slice {done} of {len(slices)}: {count} files", file=sys.stderr)

    def rows(self, part: str = "") -> DataFrame:
        """The rows of the output, or of a part of it."""
        try:
            return self.spark.read.schema(f"{ROW}, run string").parquet(f"{self.output}{part}")
        except AnalysisException as error:
            if error.getCondition() != "PATH_NOT_FOUND":
                raise
            return self.spark.createDataFrame([], f"{ROW}, run string")

    def rows_of_this_run(self) -> DataFrame:
        return self.rows(f"/run={self.run}")

    def forget_listing(self) -> None:
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.listing)
        path.getFileSystem(self.spark._jsc.hadoopConfiguration()).delete(path, True)

    def _kept(self, names: DataFrame, find: Find, part: str) -> DataFrame:
        """The entries that tasks find for names, stored so that nothing is listed twice."""
        schema = to_arrow_schema(StructType.fromDDL(ENTRY))

        def found(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            given = (name for batch in batches for name in batch.column("name").to_pylist())
            return in_batches((entry._asdict() for entry in find(given)), schema)

        names.select("name").mapInArrow(found, ENTRY).write.parquet(f"{self.listing}/{part}")
        return self._read(part)

    def _read(self, *parts: str) -> DataFrame:
        return self.spark.read.schema(ENTRY).parquet(*(f"{self.listing}/{part}" for part in parts))


def entries(batches: Iterator[pa.RecordBatch]) -> Iterator[Entry]:
    for batch in batches:
        for row in batch.to_pylist():
            yield Entry(row["name"], row["bytes"], version=row["version"])


def in_batches(rows: Iterator[dict], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    while batch := list(islice(rows, ROWS_PER_BATCH)):
        # `from_pylist` would drop them.
        if unknown := set().union(*batch).difference(schema.names):
            raise KeyError(f"no column for {', '.join(sorted(unknown))}")
        yield pa.RecordBatch.from_pylist(batch, schema)


def arguments() -> argparse.Namespace:
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description="Arguments after -- are options of 'lqip encode'.")
    parser.add_argument("input", nargs="*", help="the path or URI of a directory")
    parser.add_argument("--list", metavar="FILE", help="encode the files listed in FILE, one path per line")
    parser.add_argument("--output", required=True, help="the directory for the Parquet files; existing rows are kept")
    parser.add_argument("--lqip", required=True, help="the lqip program, which Spark copies to the workers")
    parser.add_argument("--retry", action="store_true", help="encode files again that could not be read")
    parser.add_argument("--task-bytes", type=int, default=512 << 20, help="bytes per task; default: 512 MiB")
    parser.add_argument("--append-every", type=int, default=1_000_000, help="files per slice; default: one million")
    parser.add_argument("--max-bytes", type=int, default=64 << 20, help="reject larger files; default: 64 MiB")
    parsed = parser.parse_args(words[:end])
    if bool(parsed.input) == bool(parsed.list):
        parser.error("pass either INPUT or --list FILE")
    if min(parsed.task_bytes, parsed.append_every, parsed.max_bytes) < 1:
        parser.error("numbers must be positive")
    parsed.options = words[end + 1 :]
    return parsed


def main() -> None:
    options = arguments()
    spark = SparkSession.builder.appName("lqip").getOrCreate()
    spark.sparkContext.addFile(options.lqip)
    # If an option is repeated, its last value wins. A task has one core.
    command = [Path(options.lqip).name, "encode", *options.options]
    command += [f"--max-bytes={options.max_bytes}", "--jobs=1", "--quiet", "--tar=-"]
    task = Task(Files(os.fsencode(os.getcwd())), command, options.max_bytes, any_name=bool(options.list))
    job = Job(spark, options.output.rstrip("/"), task)
    job.forget_listing()
    found = job.list_file(options.list) if options.list else job.list_directories(options.input)
    job.encode(job.remaining(found, options.retry, options.append_every), options.task_bytes)
    job.forget_listing()
    count, failed = job.rows_of_this_run().selectExpr("count(*)", "count(error)").first()
    total = job.rows().count()
    spark.stop()
    print(f"{count - failed} encoded, {failed} failed, {total} rows in total", file=sys.stderr)
    sys.exit(0 if total else "no images found")


if __name__ == "__main__":
    main()
