"""The rule eval_spikes."""

from advisor.query import CardCount
from advisor.rules import eval_spikes
from tests.advisor.rules.ask import TIGHT, card, cards, case


def test_speaks() -> None:
    found = eval_spikes.check(
        case(params_b=8.0, method="lora", kind="fits_check", gpus=(CardCount(name="", vram_gb=TIGHT),))
    )
    assert found is not None


def test_silent_with_room() -> None:
    assert eval_spikes.check(case(params_b=3.0, kind="fits_check", gpus=cards("rtx-3090"))) is None


def test_silent_on_a_mac_whose_trainer_has_no_such_settings() -> None:
    """70B with 16-bit LoRA fills a Mac with 192 GB."""
    memory = card("apple-m2-ultra").model_copy(update={"vram_gb": 192.0})
    asked = case(params_b=70.0, method="lora", kind="fits_check", gpus=(memory,))
    assert asked.advice is not None
    assert asked.advice.verdict.code == "tight"
    assert eval_spikes.check(asked) is None
