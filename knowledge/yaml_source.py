"""YAML text → dicts, lists, texts and numbers, or every fault of every file.

In a module of its own because a start that finds a compiled copy needs no YAML.
"""

from collections.abc import Hashable, Iterable
from typing import Any

import yaml

from knowledge.compiled import Tree
from knowledge.faults import Fault, KnowledgeFaults


def parse(sources: Iterable[tuple[str, bytes]], texts: bool = False) -> Tree:
    """Parse files. Raises KnowledgeFaults with every file that is not YAML and every key that stands twice."""
    tree: Tree = {}
    faults: list[Fault] = []
    for name, content in sources:
        try:
            loader = (TextLoader if texts else Loader)(content.decode("utf-8"))
            try:
                tree[name] = loader.get_single_data()
            finally:
                loader.dispose()
            faults += [
                Fault(name, key, f"line {line}", "stands twice; merge the two or rename one")
                for key, line in loader.twice
            ]
        except UnicodeDecodeError:
            faults.append(Fault(name, "", "", "is not UTF-8 text; save it as UTF-8"))
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
            faults.append(
                Fault(name, "", where, f"is not valid YAML: {error.problem}; quote texts that hold ': ' or ' #'")
            )
        except yaml.YAMLError as error:
            faults.append(Fault(name, "", "", f"is not valid YAML: {error}"))
    if faults:
        raise KnowledgeFaults(faults)
    return tree


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML where dates stay texts (so that the JSON copy is equal) and a key that stands twice is remembered."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.twice: list[tuple[str, int]] = []

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else id(key_node)
            if key in seen:
                self.twice.append((str(key), key_node.start_mark.line + 1))
            seen.add(key)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep=deep)
        return {str(key) if isinstance(key, int | float) else key: value for key, value in mapping.items()}


Loader.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class TextLoader(Loader):
    """YAML where every value is a text."""


TextLoader.yaml_implicit_resolvers = {}
