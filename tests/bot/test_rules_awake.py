"""A rule that is not woken has nothing to say, whatever the corpus and the dialogues tell."""

from itertools import chain

import pytest

from advisor import rules, topics
from advisor.case import Case
from advisor.errors import AdvisorError
from bot.messages import Question
from bot.parser import read
from knowledge.catalog import load_catalog
from tests.bench.answer_path import questions
from tests.bot.test_no_apology import texts

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_a_rule_that_sleeps_would_be_silent(part: int) -> None:
    for text in [*questions(None), *texts("en"), *texts("de")][part::PARTS]:
        case = Case(read(Question(text=text)).query, load_catalog())
        try:
            case.advice = topics.answer(case)
        except AdvisorError:
            continue
        awake = dict(chain(*rules.awake(case.signs)))
        for code, check in rules.CHEAP:
            assert code in awake or check(case) is None, (code, text)


def test_rules_keep_their_order() -> None:
    """Equals are shown in the order of the rules, the costly ones last."""
    cheap, costly = rules.awake(frozenset(sign for signs in rules.ON.values() for sign in signs))
    assert (tuple(cheap), tuple(costly)) == (rules.CHEAP, rules.COSTLY)
