"""The rule gain_is_lost."""

from advisor.rules import gain_is_lost
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B",
        kind="compare_gpus",
        gpus=(*cards("h100-sxm"), *cards("a100-80gb-sxm")),
        symptoms=("no_gain",),
    )
    assert gain_is_lost.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))
    assert gain_is_lost.check(made) is None


def test_the_slower_card_is_not_called_broken() -> None:
    found = gain_is_lost.check(
        case(params_b=8.0, kind="compare_gpus", gpus=cards("rtx-a6000") + cards("rtx-4090"), symptoms=("no_gain",))
    )
    assert found is not None
    assert found.facts["pair"]["faster"] == "RTX 4090"
    assert found.facts["pair"]["times"] > 1


def test_the_faster_card_that_gains_nothing_waits() -> None:
    found = gain_is_lost.check(
        case(params_b=8.0, kind="compare_gpus", gpus=cards("h100-sxm") + cards("a100-80gb-sxm"), symptoms=("no_gain",))
    )
    assert found is not None
    assert found.facts["pair"] is None
