"""What takes long to build from the sources (catalog, tables of the reader), kept between starts.

A pickle per name beside the compiled sources, or in the user's cache folder where that is read-only. It is used only
while the sources and the code that built it are the same files as then, told by size and time as Python does for its
bytecode; one that is damaged or of another state counts as none. Nothing but plain values and objects of our own
classes is made from it.
"""

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from pydantic import VERSION

from knowledge.compiled import PACKAGE, copies, store

SOURCES = (".py", ".yaml")
PLAIN = {"builtins": {"list", "set", "frozenset"}, "collections": {"defaultdict"}, "datetime": {"date"}}
OURS = ("knowledge.", "bot.parser.")
"""What an object in a copy may be made of: these classes, and those of these packages."""

T = TypeVar("T")


def kept(name: str, made: Callable[[], T], *, by: Path | None = None) -> T:
    """What `made` returns, from the copy of an earlier start where nothing has changed since.

    `by` is a folder of code outside of this package that has a say in it.
    """
    state = _state(by)
    for copy in copies(f"{name}.pickle", state):
        found = _load(copy, state)
        if found is not None:
            return found[0]  # type: ignore[no-any-return]
    built = made()
    content = state.encode() + pickle.dumps(built, pickle.HIGHEST_PROTOCOL)
    for copy in copies(f"{name}.pickle", state):
        if store(copy, content):
            break
    return built


@cache
def _state(by: Path | None) -> str:
    """Changes with every source and every piece of code, by size and time."""
    digest = sha256(f"{VERSION} {sys.version}".encode())
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


def _load(copy: Path, state: str) -> tuple[Any] | None:
    try:
        content = copy.read_bytes()
        if not content.startswith(state.encode()):
            return None
        return (_Unpickler(BytesIO(memoryview(content)[len(state) :])).load(),)
    except Exception:  # whatever a damaged file leads to
        return None


class _Unpickler(pickle.Unpickler):
    """Makes plain values and objects of our own classes, nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """One of these classes. Raises UnpicklingError for anything else."""
        known = module.startswith(OURS) or name in PLAIN.get(module, ())
        found = getattr(import_module(module), name) if known else None
        if not isinstance(found, type):
            raise pickle.UnpicklingError(f"{module}.{name}")
        return found
