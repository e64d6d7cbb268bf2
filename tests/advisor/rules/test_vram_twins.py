"""The rule vram_twins."""

from advisor.rules import vram_twins
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = vram_twins.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="fits_check",
            gpus=cards("rtx-4060-ti-8gb"),
            ambiguous={"gpus": ("rtx-4060-ti-8gb", "rtx-4060-ti-16gb")},
        )
    )
    assert found is not None


def test_silent_when_the_size_was_named() -> None:
    assert (
        vram_twins.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4060-ti-8gb")))
        is None
    )
