"""The table of all languages' phrases reads a message as the phrases from their source do."""

import json
from dataclasses import replace
from typing import Any

import pytest
import yaml

from bot.parser.compact import Writer, from_plain
from bot.parser.findings import USED_UP, Findings, Found
from bot.parser.grammar import Grammar, compiled, grammar_of
from bot.parser.numbers import numbers_of
from bot.parser.phrases import Compiled, Node
from bot.parser.text import Message
from knowledge.language import LANGUAGES
from tests.paths import ROOT


def places(compact: Compiled) -> dict[int, Node]:
    found: dict[int, Node] = {}
    open_ones = [compact.root]
    while open_ones:
        node = open_ones.pop()
        if id(node) not in found:
            found[id(node)] = node
            open_ones += node.below.values()
    return found


def shown(findings: Findings) -> Any:
    """What was found, without the words of phrases that leave theirs to others."""

    def plain(found: Found) -> Found:
        target = found.target
        return found if target.section in USED_UP else found._replace(target=replace(target, phrase=""))

    return [*map(plain, findings.slots)], [*map(plain, findings.evidence)], findings.marks, findings.covered


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_finds_what_the_phrases_find(code: str) -> None:
    corpus = yaml.safe_load((ROOT / "tests" / "corpus" / f"{code}.yaml").read_text(encoding="utf-8"))
    texts = [text for entry in corpus["questions"] for text in entry["say"]]
    texts += [text for rule in corpus["phrases"].values() for text in (*rule["say"], *rule["not"])]
    source, compact = Grammar(compiled(code)), grammar_of(code)
    for text in texts:
        message = Message.of(text)
        numbers = numbers_of(message, code == "de")
        assert shown(compact.scan(message, numbers)) == shown(source.scan(message, numbers)), text


def test_what_is_alike_stands_once() -> None:
    sources = {code: compiled(code) for code in LANGUAGES}
    compact = from_plain(json.loads(json.dumps(Writer().as_plain(sources))))
    apart = sum(len(places(source)) for source in sources.values())
    together = set[int]().union(*(places(one) for one in compact.values()))
    assert len(together) < apart / 3
    assert {code: one.lists for code, one in compact.items()} == {code: one.lists for code, one in sources.items()}
