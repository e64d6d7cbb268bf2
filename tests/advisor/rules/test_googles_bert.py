"""A large BERT that ran out on a small card may run in Google's TensorFlow code, which takes more."""

from advisor.rules import googles_bert as rule
from tests.advisor.rules.ask import card, case

ASKED = {"model": "google-bert/bert-large-uncased", "gpus": (card("gtx-1080-ti", 4),), "symptoms": ("oom_step",)}


def test_tells_what_google_s_table_says_of_such_a_card() -> None:
    found = rule.check(case(**ASKED))
    assert found is not None
    assert found.facts == {"card_gb": 11.0, "table_gb": 12, "several": True}


def test_silent_on_larger_cards_smaller_models_and_other_code() -> None:
    assert rule.check(case(**{**ASKED, "gpus": (card("rtx-3090"),)})) is None
    assert rule.check(case(**{**ASKED, "model": "google-bert/bert-base-uncased"})) is None
    assert rule.check(case(**ASKED, trainer="hf")) is None
    assert rule.check(case(**{**ASKED, "symptoms": ()})) is None
