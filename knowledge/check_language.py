"""Finds what one language says and another does not: templates, findings, FAQ pages, groups of phrases, words."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from knowledge import compiled
from knowledge.faults import Fault, KnowledgeFaults

LANG = Path(__file__).parent / "lang"
SHARED = "any"
"""Not a language: what is the same in all of them."""
UNDERSTOOD = ("phrases.yaml", "followup.yaml", "faq_words.yaml")
"""Files of what is understood: each language divides its words as it likes, except in these groups of codes."""
CODES = ("claims", "symptoms", "kinds")
FRONT = "---\n"


def language_faults(folder: Path = LANG) -> list[Fault]:
    """Every fault of the language folders."""
    codes = sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name[0] not in "._")
    trees: dict[str, compiled.Tree] = {}
    faults: list[Fault] = []
    for code in codes:
        try:
            trees[code] = compiled.read_yaml_tree(folder / code, texts=True)
        except KnowledgeFaults as broken:
            faults += [fault._replace(file=f"lang/{code}/{fault.file}") for fault in broken.faults]
    spoken = [code for code in codes if code != SHARED]
    faults += _missing_files(folder, spoken)
    faults += _missing_keys({code: trees[code] for code in spoken if code in trees})
    for code in spoken:
        faults += _pages(folder, code)
    faults += _claims(folder, spoken)
    return faults


def _missing_files(folder: Path, codes: list[str]) -> Iterator[Fault]:
    have = {code: {path.relative_to(folder / code).as_posix() for path in _files(folder / code)} for code in codes}
    for name in sorted(set().union(*have.values())):
        holders = [code for code in codes if name in have[code]]
        for code in codes:
            if name not in have[code]:
                yield Fault(f"lang/{code}", "", name, f"is missing; write it after lang/{holders[0]}/{name}")


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not any(part.startswith((".", "__")) for part in path.relative_to(folder).parts):
            yield path


def _missing_keys(trees: Mapping[str, compiled.Tree]) -> Iterator[Fault]:
    """Keys of the YAML files, two levels deep; how many phrases stand under a key is each language's own affair."""
    for file in sorted(set().union(*trees.values())):
        if not all(file in tree for tree in trees.values()):
            continue
        groups = CODES if file.rsplit("/", 1)[-1] in UNDERSTOOD else None
        keys = {code: set(_keys(tree[file], groups)) for code, tree in trees.items()}
        for key in sorted(set().union(*keys.values())):
            holders = [code for code in keys if key in keys[code]]
            for code in keys:
                if key not in keys[code]:
                    yield Fault(f"lang/{code}/{file}", "", key, f"is missing; lang/{holders[0]}/{file} has it")


def _keys(content: Any, groups: tuple[str, ...] | None) -> Iterator[str]:
    """`group` and `group.key`; with `groups` only those."""
    if not isinstance(content, dict):
        return
    for key, value in content.items():
        if groups is None or key in groups:
            yield str(key)
            if isinstance(value, dict):
                yield from (f"{key}.{inner}" for inner in value)


def _pages(folder: Path, code: str) -> Iterator[Fault]:
    """FAQ pages: front matter with an id that is the file's name, and a text."""
    for path in sorted((folder / code / "faq").glob("*.md")):
        file = f"lang/{code}/faq/{path.name}"
        front = _front_matter(path)
        if front is None:
            yield Fault(file, "", "", "should begin with '---', its fields, and '---' before the text")
            continue
        if front.get("id") != path.stem:
            yield Fault(file, "", "id", f"should be {path.stem!r}, as the file is named")
        for other in front.get("related") or ():
            if not (path.parent / f"{other}.md").exists():
                yield Fault(file, "", "related", f"no page is called {other!r}")


def _claims(folder: Path, codes: list[str]) -> Iterator[Fault]:
    """A page covers the same claims of the seed in every language."""
    for name in sorted({path.name for code in codes for path in (folder / code / "faq").glob("*.md")}):
        claims = {}
        for code in codes:
            path = folder / code / "faq" / name
            front = _front_matter(path) if path.exists() else None
            if front is not None:
                claims[code] = sorted(front.get("claims") or [])
        first = next(iter(claims), None)
        for code, own in claims.items():
            if first is not None and own != claims[first]:
                what = f"{', '.join(own) or 'none'}; lang/{first} has {', '.join(claims[first]) or 'none'}"
                yield Fault(f"lang/{code}/faq/{name}", "", "claims", what)


def _front_matter(path: Path) -> dict[str, Any] | None:
    text = path.read_text(encoding="utf-8")
    if not text.startswith(FRONT) or "\n" + FRONT not in text:
        return None
    head = text[len(FRONT) :].split("\n" + FRONT, 1)[0]
    try:
        content = compiled.parse([(path.name, head.encode())], texts=True)[path.name]
    except KnowledgeFaults:
        return None
    return content if isinstance(content, dict) else None
