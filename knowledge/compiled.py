"""YAML is the source; a JSON copy of it, keyed by a digest of the sources, is what a start reads.

The copy is made at first use, beside the package or, where that is read-only, in the user's cache folder. It is
written to the side and moved into place, so that processes starting together never see half a file; a copy that is
damaged or out of date counts as none. Nothing depends on it: without a writable folder the YAML is read each time.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from knowledge.faults import Fault, KnowledgeFaults

FORMAT = "2"
"""Part of the digest: raise it when what is written into a copy changes."""
MAX_SOURCE_BYTES = 8 * 2**20

EVERYTHING = "**/*.yaml"
PACKAGE = Path(__file__).resolve().parent

Tree = dict[str, Any]
"""File, as a path relative to its folder with "/" → its content as dicts, lists, texts and numbers."""


def load_yaml_tree(
    folder: Path, pattern: str = EVERYTHING, *, texts: bool = False,
    verify: Callable[[Tree], None] | None = None, read: Callable[[Iterable[tuple[str, bytes]]], Tree] | None = None,
) -> Tree:  # fmt: skip
    """Read the YAML files of a folder, from the compiled copy when it is up to date.

    `texts` reads every value as text ("no" stays a word). `verify` sees the tree before a copy is made and raises on
    faults; what a copy holds was verified once. `read` parses files that are not plain YAML. Raises
    KnowledgeFaults for files that cannot be read, all at once.
    """
    sources = _read(folder, pattern)
    digest = _digest(folder, pattern, texts, sources)
    name = _name(folder, pattern)
    home = PACKAGE if folder.is_relative_to(PACKAGE) else folder.parent
    for copy in copies(name, digest, home):
        tree = load(copy, digest)
        if tree is not None:
            return tree
    tree = read(sources) if read else parse(sources, texts)
    if verify is not None:
        verify(tree)
    content = as_json(digest, tree)
    for copy in copies(name, digest, home) if content else ():
        if store(copy, content):
            break
    return tree


def read_yaml_tree(folder: Path, pattern: str = EVERYTHING, *, texts: bool = False) -> Tree:
    """Read every YAML file of a folder from its source. Raises KnowledgeFaults."""
    return parse(_read(folder, pattern), texts)


def parse(sources: Iterable[tuple[str, bytes]], texts: bool = False) -> Tree:
    """Parse files. Raises KnowledgeFaults with every file that is not YAML and every key that stands twice."""
    from knowledge import yaml_source

    return yaml_source.parse(sources, texts)


def _read(folder: Path, pattern: str) -> list[tuple[str, bytes]]:
    sources: list[tuple[str, bytes]] = []
    faults: list[Fault] = []
    for path in sorted(path for path in folder.glob(pattern) if path.is_file()):
        name = path.relative_to(folder).as_posix()
        try:
            sources.append((name, path.read_bytes()))
        except OSError as error:
            faults.append(Fault(name, "", "", f"cannot be read ({error.strerror}); mend its permissions"))
    faults += [Fault(name, "", "", "is larger than 8 MiB; split it") for name, content in sources if _large(content)]
    if not sources and not faults:
        faults.append(Fault(folder.name, "", "", f"holds no file {pattern}; install the package again"))
    if faults:
        raise KnowledgeFaults(faults)
    return sources


def _large(content: bytes) -> bool:
    return len(content) > MAX_SOURCE_BYTES


def _digest(folder: Path, pattern: str, texts: bool, sources: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256(f"{FORMAT}\0{pattern}\0{texts}\0".encode())
    for name, content in sources:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def copies(name: str, state: str, home: Path = PACKAGE) -> Iterator[Path]:
    """Where a copy may lie, best first: beside the sources, one per name; then the user's cache, one per state."""
    yield home / ".compiled" / name
    from platformdirs import user_cache_path

    stem, dot, kind = name.rpartition(".")
    yield user_cache_path("whichgpu") / "compiled" / f"{stem}-{state[:16]}{dot}{kind}"


def _name(folder: Path, pattern: str) -> str:
    parts = [*_inside(folder), *(pattern.split(".")[0].split("/") if pattern != EVERYTHING else [])]
    return "-".join(parts) + ".json"


def _inside(folder: Path) -> tuple[str, ...]:
    return folder.relative_to(PACKAGE).parts if folder.is_relative_to(PACKAGE) else (folder.name,)


def load(copy: Path, digest: str) -> Tree | None:
    """What a copy holds; None for one that is not there, damaged, or of another state."""
    try:
        stored = json.loads(copy.read_bytes())
        return _shared(stored["tree"]) if stored["digest"] == digest else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _shared(tree: Tree) -> Tree:
    """The same tree with equal texts kept once: JSON makes an object of each, about 1 MiB of copies."""
    once: dict[str, str] = {}
    inner: list[Any] = [tree] if isinstance(tree, dict | list) else []
    while inner:
        node = inner.pop()
        for place, value in enumerate(node) if isinstance(node, list) else node.items():
            if isinstance(value, str):
                node[place] = once.setdefault(value, value)
            elif isinstance(value, dict | list):
                inner.append(value)
    return tree


def as_json(digest: str, tree: Tree) -> bytes:
    """What a copy holds; nothing for a tree that JSON cannot write."""
    try:
        return json.dumps({"digest": digest, "tree": tree}, ensure_ascii=False, separators=(",", ":")).encode()
    except (TypeError, ValueError):
        return b""


def store(copy: Path, content: bytes) -> bool:
    """Write to the side and move into place; False where that is not possible."""
    import tempfile

    beside = None
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        ignore = copy.parent / ".gitignore"
        if copy.parent.name == ".compiled" and not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        handle, beside = tempfile.mkstemp(prefix=copy.name, suffix=".tmp", dir=copy.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(beside).chmod(0o644)
        Path(beside).replace(copy)
    except OSError:
        if beside is not None:
            with contextlib.suppress(OSError):
                Path(beside).unlink()
        return False
    return True
