"""What a message may hold, at a glance: the names of the lists whose words stand in it."""

import re

import pytest

from bot.parser.cards.apart import GONE
from bot.parser.clauses import TURNING
from bot.parser.durations import UNITS
from bot.parser.grammar import grammar_of
from bot.parser.money import OF_MONEY
from bot.parser.text import Message
from bot.parser.words import words
from knowledge.language import LANGUAGES
from tests.fuzz.messages import sentences
from tests.paths import ROOT

LISTS = {name for code in LANGUAGES for name in grammar_of(code).lists}
ASKED_FOR = re.compile(r'"(\w+)" (?:not )?in (?:reader\.)?(?:message\.)?said\b|\.(?:told|ends_with)\("(\w+)"')


def test_no_word_of_a_list_is_overlooked() -> None:
    for sentence in sentences()[::7]:
        message = Message.of(sentence)
        assert {name for name in LISTS if not words(name).isdisjoint(message.tokens)} <= message.said, sentence


@pytest.mark.parametrize(
    ("text", "name"), [("used to have a 1080", "gone_before"), ("内存64G", "ram_sign"), ("k8s limits", "limited")]
)
def test_an_entry_of_several_tokens_may_begin(text: str, name: str) -> None:
    assert name in Message.of(text).said


def test_a_word_of_no_list_says_nothing() -> None:
    assert Message.of("zyzzyva").said == set()


def test_what_is_asked_for_exists() -> None:
    files = [path for path in (ROOT / "bot" / "parser").rglob("*.py") if not path.name.startswith("followup")]
    sources = [path.read_text(encoding="utf-8") for path in files]  # a follow-up says codes of its own
    asked = {one or other for source in sources for one, other in ASKED_FOR.findall(source)}
    assert len(asked) > 20
    assert asked | GONE | TURNING | UNITS | OF_MONEY <= LISTS
