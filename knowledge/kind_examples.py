"""Messages with the kind of question that they are: what the weights of kinds are fitted to, and judged by."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from knowledge.compiled import PACKAGE, read_yaml_tree

FOLDER = PACKAGE / "kinds"
CORPUS = PACKAGE.parent / "tests" / "corpus"
"""What is tested is learnt from too, where it lies beside the package."""
UNSEEN = "unseen.yaml"
"""Never fitted to: it shows how well new messages are understood."""
WEIGHTS = "weights.yaml"


class Example(NamedTuple):
    """A message and its kinds, the best one first. `origin`: messages that say the same in other words share it."""

    text: str
    kinds: tuple[str, ...]
    weight: float
    origin: str
    file: str


def examples(folder: Path = FOLDER, corpus: Path = CORPUS) -> list[Example]:
    """All messages of the folder, in order, then those of the corpus."""
    found: list[Example] = []
    for name, table in read_yaml_tree(folder, "*.yaml", texts=True).items():
        if name != WEIGHTS:
            found += _of_file(name, table)
    for name, table in read_yaml_tree(corpus, "*.yaml").items() if corpus.is_dir() else ():
        for entry in table["questions"]:
            kind = entry["mean"].get("kind")
            found += [Example(text, (kind,), 1.0, f"{name} {text}", name) for text in entry["say"] if kind]
    return found


def _of_file(name: str, table: Mapping[str, Any]) -> list[Example]:
    weight = float(table.get("weight") or 1.0)
    found: list[Example] = []
    for kinds, messages in (table.get("kinds") or {}).items():
        for message in messages or ():
            both = message if isinstance(message, list) else [message]  # the same in other words
            origin = f"{name} {len(found)}"
            found += [Example(str(text), tuple(str(kinds).split("/")), weight, origin, name) for text in both]
    return found
