"""Placeholders of many images, as a Spark job: each task streams its files through `lqip encode --tar -`.

Usage: spark-submit encode.py --lqip LQIP --output DIRECTORY (INPUT | --list FILE) [-- OPTION...]
"""

from __future__ import annotations

import argparse
import json
import queue
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

SCHEMA = """
    path string, path_base64 string, mimetype string, bytes long, width int, height int, orientation int,
    has_alpha boolean, opaque boolean, animated boolean, frame_count int, blurhash string, components array<int>,
    lqip string, lqip2 string, average_color string, warnings array<string>, error struct<code: string, message: string>
"""

# What counts as an image in a directory, as for `lqip encode DIRECTORY`.
EXTENSION = re.compile(r"\.(jpe?g|jpe|jfif|a?png|webp|gif)\Z", re.IGNORECASE)
SIGNATURES = re.compile(rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|RIFF....WEBP|GIF8[79]a", re.DOTALL)


class Encoder:
    """A running lqip that takes files and gives their records, in the same order."""

    def __init__(self, command: list[str]) -> None:
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors
        )
        self.sent: deque[str] = deque()
        self.records: queue.SimpleQueue[dict | None] = queue.SimpleQueue()
        # lqip must never wait for someone to take its records, or it would not take files either.
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        try:
            for line in self.process.stdout:
                self.records.put(json.loads(line))
        finally:
            self.records.put(None)

    def send(self, name: str, length: int, content: bytes | None) -> None:
        """Sends a file; one without content is announced by its size alone."""
        info = tarfile.TarInfo(name)
        if content is None:
            # A file of which nothing but holes is stored.
            info.pax_headers = {"GNU.sparse.size": str(length), "GNU.sparse.map": ""}
            content = b""
        info.size = len(content)
        self.sent.append(name)
        padding = bytes(-len(content) % tarfile.BLOCKSIZE)
        self._write(info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"), content, padding)

    def available(self) -> Iterator[dict]:
        """The records that are there already."""
        while not self.records.empty():
            yield self._checked(self.records.get())

    def rest(self) -> Iterator[dict]:
        """The records that are still to come, after the last file."""
        self._write(bytes(2 * tarfile.BLOCKSIZE))
        self.process.stdin.close()
        while (record := self.records.get()) is not None:
            yield self._checked(record)
        if self.process.wait() not in (0, 1) or self.sent:
            raise self._failure()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()

    def _write(self, *parts: bytes) -> None:
        try:
            for part in parts:
                self.process.stdin.write(part)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._failure() from None

    def _checked(self, record: dict | None) -> dict:
        if record is None or not self.sent or record["path"] != self.sent.popleft():
            raise self._failure()
        return record

    def _failure(self) -> RuntimeError:
        self.close()
        self.errors.seek(0)
        words = self.errors.read().decode(errors="replace").strip()
        return RuntimeError(
            f"lqip ended with {self.process.returncode}, {len(self.sent)} files without a record: {words}"
        )


class Source:
    """The files that a job is given, and what `lqip encode` would call them."""

    def __init__(self, spark: SparkSession, given: str | None, listed: list[str]) -> None:
        self.listed = [escaped(path) for path in listed]
        self.given = given
        self.prefix = self.root = ""
        if given is None:
            return
        fixed = re.match(r"[^*?\[{\\]*", given)[0]
        self.prefix = fixed.rstrip("/") + "/" if fixed == given else fixed[: fixed.rfind("/") + 1]
        path = spark._jvm.org.apache.hadoop.fs.Path(self.prefix or ".")
        system = path.getFileSystem(spark._jsc.hadoopConfiguration())
        self.root = local(system.makeQualified(path).toString()).rstrip("/") + "/"

    def name(self, uri: str) -> str:
        path = local(unquote(uri))
        return self.prefix + path.removeprefix(self.root) if path.startswith(self.root) else path

    def includes(self, uri: str, content: bytes | None) -> bool:
        """Whether a file is to be encoded: those in a directory have to look like images."""
        return (
            self.given is None
            or EXTENSION.search(uri) is not None
            or SIGNATURES.match(content or b"") is not None
        )

    def files(self, spark: SparkSession, max_bytes: int) -> DataFrame:
        """All files; the content of those that are too large is null and not read."""
        paths = self.listed if self.given is None else self.given
        found = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(paths)
        uri = F.col("_metadata.file_path").alias("uri")
        small = found.where(F.col("length") <= max_bytes).select(uri, "length", "content")
        nothing = F.lit(None).cast("binary")
        large = found.where(F.col("length") > max_bytes).select(uri, "length", nothing)
        # Spark lists empty files but does not read them.
        names = {self.name(path): path for path in found.inputFiles()}
        read = {self.name(row.uri) for row in found.select(uri).toLocalIterator()}
        if stray := read - names.keys():
            raise RuntimeError(f"Spark reads files that it does not list, such as {min(stray)}")
        empty = [(path, 0, b"") for name, path in names.items() if name not in read]
        return small.union(large).union(spark.createDataFrame(empty, small.schema))


def local(path: str) -> str:
    """A file of the local file system by its path, any other by its URI."""
    return re.sub(r"\Afile:(//)?(?=/)", "", path)


def escaped(path: str) -> str:
    """A path none of whose characters have a meaning in a glob."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", path)


def encode(
    batches: Iterator[pa.RecordBatch], command: list[str], source: Source, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Encodes the files of one task, holding as few of them as lqip and Spark's batches do."""
    encoder = None

    def rows(records: Iterator[dict]) -> Iterator[pa.RecordBatch]:
        return (pa.RecordBatch.from_pylist([record], schema) for record in records)

    try:
        for batch in batches:
            for file in batch.to_pylist():
                if not source.includes(file["uri"], file["content"]):
                    continue
                encoder = encoder or Encoder([SparkFiles.get(command[0]), *command[1:]])
                encoder.send(source.name(file["uri"]), file["length"], file["content"])
                yield from rows(encoder.available())
        if encoder:
            yield from rows(encoder.rest())
    finally:
        if encoder:
            encoder.close()


def arguments() -> argparse.Namespace:
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description="What follows -- are options for 'lqip encode'.")
    parser.add_argument("input", nargs="?", help="a directory or a glob, local or by its URI")
    parser.add_argument("--list", metavar="FILE", help="encode the files that FILE lists, one per line")
    parser.add_argument("--output", required=True, help="the new directory for the Parquet files")
    parser.add_argument("--lqip", required=True, help="the program, which is sent to the workers")
    parser.add_argument("--partitions", type=int, help="roughly how many tasks; default: Spark's choice")
    parser.add_argument(
        "--max-bytes", type=int, default=64 << 20, help="refuse larger files; default: 64 MiB"
    )
    parsed = parser.parse_args(words[:end])
    if (parsed.input is None) == (parsed.list is None):
        parser.error("either INPUT or --list FILE is needed")
    if not 0 < parsed.max_bytes < 1 << 31:
        parser.error("--max-bytes must be below 2 GiB, which is what Spark reads")
    parsed.options = words[end + 1 :]
    return parsed


def main() -> None:
    options = arguments()
    spark = SparkSession.builder.appName("lqip").getOrCreate()
    # A batch may be as large as so many images.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 1)
    if options.partitions:
        for bound in ("min", "max"):
            spark.conf.set(f"spark.sql.files.{bound}PartitionNum", options.partitions)
    spark.sparkContext.addFile(options.lqip)
    # The last word on a limit is the one that counts.
    command = [Path(options.lqip).name, "encode", *options.options, "--format=ndjson"]
    # A task has one core.
    command += [f"--max-bytes={options.max_bytes}", "--jobs=1", "--tar=-"]
    listed = Path(options.list).read_text(encoding="utf-8").split("\n") if options.list else []
    source = Source(spark, options.input, [line for line in listed if line])
    schema = to_arrow_schema(StructType.fromDDL(SCHEMA))
    source.files(spark, options.max_bytes).mapInArrow(
        lambda batches: encode(batches, command, source, schema), SCHEMA
    ).write.parquet(options.output)
    written = spark.read.parquet(options.output)
    count, failed = written.count(), written.where("error is not null").count()
    spark.stop()
    print(f"{count - failed} encoded, {failed} failed", file=sys.stderr)
    sys.exit(0 if count else "no images found")


if __name__ == "__main__":
    main()
