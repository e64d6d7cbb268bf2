"""The rule unknown_name."""

from advisor.rules import unknown_name
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = unknown_name.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="fits_check",
            unknown={"gpus": "rtx 3909"},
            nearest={"gpus": ("RTX 3090",)},
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert unknown_name.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check")) is None
