"""How much a run trains, as it is printed."""

import pytest

from bot.messages import Question
from bot.parser import read
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


@pytest.mark.parametrize(
    ("text", "trained"),
    [
        ("trainable%: 50", 10_000_000_000),
        ("trainable share is 50", 10_000_000_000),
        ("50 % of all weights are trainable", 10_000_000_000),
        ("trainierbarer Anteil: 50", 10_000_000_000),
        ("50 Prozent der Gewichte sind trainierbar", 10_000_000_000),
        ("es werden 50 % der Parameter trainiert", 10_000_000_000),
        ("only 1% are trained", None),
        ("it trained for 3 epochs at 50% utilization", None),
    ],
)
def test_a_share_is_read_in_words_of_both_languages(text: str, trained: int | None) -> None:
    slots = Slots()
    slots.state("params_b", 10.0)
    state_trained(slots, text)
    assert slots.values.get("trainable_params") == trained


@pytest.mark.parametrize(
    "text",
    [
        "full finetune, trainable params: 41,943 || all params: 80",  # more than all: a cut-off line
        "lora trainable params: 100 || all params: 100, which model is that",  # all of an unknown size
        "qlora trainable%: 100",
    ],
)
def test_what_cannot_be_so_states_nothing_and_breaks_nothing(text: str) -> None:
    assert read(Question(text=text)).query.trainable_params is None
