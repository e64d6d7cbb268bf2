"""The rule impossible_card."""

from advisor.query import CardCount, Kind
from advisor.rules import impossible_card
from bot.renderer import says_first
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = impossible_card.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="fits_check",
            gpus=(CardCount(gpu="rtx-3060-ti", name="RTX 3060 Ti", vram_gb=6),),
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        impossible_card.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3060-ti")))
        is None
    )


def test_what_was_counted_is_the_card_as_it_is_sold_and_the_other_size_gets_its_verdict() -> None:
    """The RTX 3060 Ti has 8 GB; its namesake with 6 GB is the laptop card."""
    six = CardCount(gpu="rtx-3060-ti", name="RTX 3060 Ti", vram_gb=6)
    found = impossible_card.check(case(params_b=7.0, kind="fits_check", gpus=(six,), claims=("impossible_card",)))
    assert found is not None
    assert (found.facts["counted_gb"], found.facts["other_gb"]) == (8, 6)
    assert (found.facts["fit"], found.facts["twin"]) == ("tight", "RTX 3060 Laptop GPU")


def test_elsewhere_the_stated_size_is_counted() -> None:
    six = CardCount(gpu="rtx-3060-ti", name="RTX 3060 Ti", vram_gb=6)
    found = impossible_card.check(case(params_b=7.0, kind="context_length", gpus=(six,), claims=("impossible_card",)))
    assert found is not None
    assert (found.facts["counted_gb"], found.facts["other_gb"]) == (6, 8)


def test_it_leads_where_the_size_that_is_meant_turns_the_verdict() -> None:
    """Four RTX 3070 with 64 GB together: 8 GB each do not hold a 14B, 16 would."""
    sixteen = (CardCount(gpu="rtx-3070", name="RTX 3070", count=4, vram_gb=16),)
    slots = {"model": "Qwen/Qwen-14B", "kind": "fits_check", "seq_len": 256, "claims": ("impossible_card",)}
    asked = case(**slots, gpus=sixteen)
    found = impossible_card.check(asked)
    assert found is not None
    assert found.facts["decides"]
    assert says_first(found.model_copy(update={"code": "impossible_card"}), Kind.FITS_CHECK)
    small = impossible_card.check(case(**(slots | {"model": "Qwen/Qwen2.5-0.5B"}), gpus=sixteen))
    assert small is not None
    assert not small.facts["decides"]
