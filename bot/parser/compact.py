"""The compiled phrases of all languages as one table, in which what is alike stands once; it is kept between starts.

Languages share most of their places, as English is read with every language. The words of a phrase stay only where the
reader looks at them: in sections that use up their tokens.
"""

from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any

from bot.parser.combinations import Combination
from bot.parser.findings import USED_UP, Target, target_of
from bot.parser.phrases import LEAF, Compiled, Meant, Node, Only


class Writer:
    """Turns compiled phrases into plain values: numbers instead of what stands elsewhere in the table."""

    def __init__(self) -> None:
        self._targets: dict[tuple[str, str, Any, str], int] = {}
        self._meants: dict[tuple[int, ...], int] = {}
        self._places: dict[tuple[Any, ...], int] = {}

    def as_plain(self, languages: Mapping[str, Compiled]) -> dict[str, Any]:
        """One table for all of them. A place is what is meant there (-1: nothing), two marks, token → place."""
        grammars = {
            code: {
                "root": self._place(compiled.root),
                "lists": compiled.lists,
                "combinations": [
                    [list(found.parts), found.ordered, self._target(found.target)]
                    for of_one in compiled.combinations.values()
                    for found in of_one
                ],
            }
            for code, compiled in languages.items()
        }
        return {
            "targets": [list(target) for target in self._targets],
            "meants": [list(meant) for meant in self._meants],
            "places": [[*marks, dict(below)] for *marks, below in self._places],
            "grammars": grammars,
        }

    def _place(self, node: Node) -> int:
        below = tuple(sorted((token, self._place(following)) for token, following in node.below.items()))
        return _number(self._places, (self._meant(node.meant), node.slot, node.alone, below))

    def _meant(self, meant: Meant | None) -> int:
        return -1 if meant is None else _number(self._meants, tuple(map(self._target, meant.targets)))

    def _target(self, target: Target) -> int:
        phrase = target.phrase if target.section in USED_UP else ""
        return _number(self._targets, (target.section, target.name, target.value, phrase))


def _number(known: dict[Any, int], one: Any) -> int:
    return known.setdefault(one, len(known))


def from_plain(table: Mapping[str, Any]) -> dict[str, Compiled]:
    """The compiled phrases by language. The table is used up."""
    targets = [target_of(intern(section), intern(name), *rest) for section, name, *rest in table["targets"]]
    meants = [Meant.of([targets[number] for number in numbers]) for numbers in table["meants"]]
    nodes = _nodes(table["places"], meants)
    return {
        code: Compiled(nodes[plain["root"]], plain["lists"], _combinations(plain["combinations"], targets))
        for code, plain in table["grammars"].items()
    }


def _nodes(places: Sequence[Sequence[Any]], meants: Sequence[Meant]) -> list[Node]:
    """The places as nodes; what is below a place stands before it."""
    nodes: list[Node] = []
    for number, slot, alone, below in places:
        node = Node()
        node.meant = meants[number] if number >= 0 else None
        node.slot, node.alone = slot, alone
        node.below = _below(below, nodes)
        nodes.append(node)
    return nodes


def _below(plain: Mapping[str, int], nodes: Sequence[Node]) -> Mapping[str, Node]:
    if len(plain) == 1:
        ((token, place),) = plain.items()
        return Only(intern(token), nodes[place])
    return {intern(token): nodes[place] for token, place in plain.items()} if plain else LEAF


def _combinations(plain: Sequence[Any], targets: Sequence[Target]) -> dict[str, list[Combination]]:
    found: dict[str, list[Combination]] = {}
    for parts, ordered, number in plain:
        found.setdefault(parts[0], []).append(Combination(tuple(parts), ordered, targets[number]))
    return found
