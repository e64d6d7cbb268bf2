"""The rule mig_slice."""

from advisor.query import CardCount
from advisor.rules import impossible_card, mig_slice
from tests.advisor.rules.ask import case

SLICE = (CardCount(gpu="a100-80gb-sxm", name="A100 80GB SXM", count=1, vram_gb=20.0),)
ASKED = {"kind": "oom_help", "params_b": 8.0, "gpus": SLICE, "claims": ("impossible_card",)}


def test_a_slice_is_no_card_that_was_never_sold() -> None:
    made = case(**ASKED, symptoms=("oom_step", "mig_slice"))
    found = mig_slice.check(made)
    assert found is not None
    assert found.facts["usable"] < 20 * 2**30
    assert impossible_card.check(made) is None


def test_silent_on_a_whole_card() -> None:
    assert mig_slice.check(case(**ASKED, symptoms=("oom_step",))) is None
