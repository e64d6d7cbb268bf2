"""The rule last_layers."""

import pytest

from advisor.rules import last_layers
from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer
from tests.advisor.rules.ask import case


def test_speaks_with_the_layers_that_are_trained() -> None:
    """Vicuna 13B: 40 layers of 317M parameters, 26 GB of weights."""
    found = last_layers.check(case(kind="fits_check", model="lmsys/vicuna-13b-v1.5", named={"frozen": ("last", "4")}))
    assert found is not None
    assert found.facts["trained"] == pytest.approx(1.27e9, rel=0.01)
    assert found.facts["low"] == found.facts["weights"] + 10 * found.facts["trained"]
    first = last_layers.check(case(kind="fits_check", model="lmsys/vicuna-13b-v1.5", named={"frozen": ("first", "36")}))
    assert first is not None
    assert first.facts["trained"] == found.facts["trained"]


def test_silent_where_no_layers_are_told_or_more_than_there_are() -> None:
    assert last_layers.check(case(kind="fits_check", params_b=8.0)) is None
    assert last_layers.check(case(kind="fits_check", params_b=8.0, named={"frozen": ("last", "99")})) is None


@pytest.mark.parametrize(
    ("text", "frozen"),
    [
        ("If I freeze everything except the last 4 layers of vicuna 13b instead of lora?", ("last", "4")),
        ("Llama 3.1 8B, nur die letzten zwei Layer trainieren, Rest eingefroren. VRAM?", ("last", "2")),
        ("freeze the first 28 layers of llama 3.1 8b, train the rest, 4090?", ("first", "28")),
        ("OOM at the last layer while loading an 8b lora only on gpu 0, 3090", None),
        ("a model with 32 layers, only lora on top of it, 8b 3090?", None),
    ],
)
def test_layers_are_read(text: str, frozen: tuple[str, str] | None) -> None:
    assert read(Question(text=text)).query.named.get("frozen") == frozen


def test_it_leads() -> None:
    text = "If I freeze everything except the last 4 layers of vicuna 13b, is memory similar to lora?"
    assert answer(Question(text=text)).reply.text.startswith("**Training the last 4 of 40 layers in full takes")
