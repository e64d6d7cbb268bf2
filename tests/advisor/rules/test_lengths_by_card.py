"""The rule lengths_by_card."""

from advisor.query import CardCount
from advisor.rules import lengths_by_card
from tests.advisor.rules.ask import cards, case

SIZES = ((CardCount(vram_gb=16.0),), (CardCount(vram_gb=24.0),))
ASKED = {"kind": "context_length", "params_b": 8.0, "method": "qlora"}


def test_each_size_has_its_length() -> None:
    found = lengths_by_card.check(case(**ASKED, candidates=SIZES))
    assert found is not None
    small, large = found.facts["rows"]
    assert (small["gb"], large["gb"]) == (16.0, 24.0)
    assert small["stock"] < small["lean"] < large["lean"]
    named = lengths_by_card.check(case(**ASKED, candidates=(cards("rtx-3090"), cards("rtx-5090"))))
    assert named is not None
    assert named.facts["rows"][0]["name"] == "RTX 3090"


def test_silent_with_one_card_or_a_length() -> None:
    assert lengths_by_card.check(case(**ASKED, gpus=cards("rtx-3090"))) is None
    assert lengths_by_card.check(case(**ASKED, candidates=SIZES, seq_len=8192)) is None
