"""How much a run trains, as it is printed."""

import pytest

from bot.parser.slots import Slots
from bot.parser.trained import state_trained


@pytest.mark.parametrize(
    ("text", "trained"),
    [
        ("trainable params: 68M || all params: 8.3B", None),  # of a 14B, whose 4-bit weights are counted in pairs
        ("trainable params: 67,108,864 || all params: 8,097,370,112 || trainable%: 0.82", None),
        ("trainable params: 2.1B || all params: 10.13B", 2_100_000_000),
        ("trainable params: 2,100,000,000 || all params: 10,130,000,000", 2_100_000_000),
    ],
)
def test_counts_are_read_with_their_units(text: str, trained: int | None) -> None:
    slots = Slots()
    slots.state("params_b", 14.0)
    state_trained(slots, text)
    assert slots.values.get("trainable_params") == trained
