"""Tables that take long to build from the sources (names of cards and models), kept between starts as JSON.

A copy lies beside the compiled sources, or in the user's cache folder where that is read-only. It is used only while
the sources and the code that built it are the same files as then, told by size and time as Python does for its
bytecode; one that is damaged or of another state counts as none.
"""

import os
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from knowledge.compiled import PACKAGE, as_json, copies, load, store

SOURCES = (".py", ".yaml")


def kept(name: str, made: Callable[[], Any], *, by: Path | None = None) -> Any:
    """What `made` returns (dicts, lists, texts, numbers), from the copy of an earlier start where nothing has changed.

    `by` is a folder of code outside of this package that has a say in it.
    """
    state = _state(by)
    for copy in copies(f"{name}.json", state):
        found = load(copy, state)
        if found is not None:
            return found
    built = made()
    content = as_json(state, built)
    for copy in copies(f"{name}.json", state):
        if store(copy, content):
            break
    return built


@cache
def _state(by: Path | None) -> str:
    """Changes with every source and every piece of code."""
    digest = sha256()
    for folder in (PACKAGE, by):
        for name in sorted(_files(folder, "")) if folder else ():
            digest.update(name.encode())
    return digest.hexdigest()


def _files(folder: Path, inside: str) -> Iterator[str]:
    with os.scandir(folder / inside) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name[0] not in "._":
                    yield from _files(folder, f"{inside}{entry.name}/")
            elif entry.name.endswith(SOURCES):
                state = entry.stat()
                yield f"{inside}{entry.name} {state.st_size} {int(state.st_mtime)}\n"
