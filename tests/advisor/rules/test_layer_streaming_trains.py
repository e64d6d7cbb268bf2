"""The rule layer_streaming_trains."""

from advisor.rules import layer_streaming_trains
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = layer_streaming_trains.check(
        case(params_b=70.0, kind="fits_check", gpus=cards("rtx-3060-12gb"), claims=("layer_streaming_trains",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert layer_streaming_trains.check(case(params_b=70.0, kind="fits_check", gpus=cards("rtx-3060-12gb"))) is None
