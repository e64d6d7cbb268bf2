"""The rule eval_spikes."""

from advisor.query import CardCount
from advisor.rules import eval_spikes
from tests.advisor.rules.ask import TIGHT, cards, case


def test_speaks() -> None:
    found = eval_spikes.check(
        case(params_b=8.0, method="lora", kind="fits_check", gpus=(CardCount(name="", vram_gb=TIGHT),))
    )
    assert found is not None


def test_silent_with_room() -> None:
    assert eval_spikes.check(case(params_b=3.0, kind="fits_check", gpus=cards("rtx-3090"))) is None
