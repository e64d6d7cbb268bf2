"""Lines in, JSON objects out: streaming, bounded, whatever the bytes are."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import IO, Any

LONGEST_LINE = 1_000_000
"""Bytes. A longer line is read over and reported."""


def byte_lines(source: str) -> Iterator[bytes | None]:
    """The lines of a file, or of stdin for "-", without their ends; None for one that is too long."""
    with nullcontext(sys.stdin.buffer) if source == "-" else open(source, "rb") as stream:
        while line := stream.readline(LONGEST_LINE):
            if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
                _skip_line(stream)
                yield None
            else:
                yield line.rstrip(b"\r\n")


def text_lines(source: str) -> Iterator[str]:
    """The same as text; bytes that are not UTF-8 become the replacement character, a too long line is cut."""
    for number, line in enumerate(byte_lines(source)):
        text = "" if line is None else line.decode("utf-8", errors="replace")
        yield text.removeprefix("\ufeff") if number == 0 else text


def write(objects: Iterable[Mapping[str, Any]]) -> None:
    """One JSON object a line to stdout, each as soon as it is there."""
    for found in objects:
        put(json.dumps(found, ensure_ascii=False))


def put(line: str) -> None:
    """One line to stdout, at once: whoever feeds us waits for it. A lone surrogate is replaced."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _skip_line(stream: IO[bytes]) -> None:
    while (part := stream.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
        pass
