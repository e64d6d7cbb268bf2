"""The rule bf16_anywhere."""

import pytest

from advisor.rules import bf16_anywhere
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = bf16_anywhere.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("t4")))
    assert found is not None


def test_silent_on_ampere() -> None:
    assert bf16_anywhere.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None


def test_silent_when_fp16_is_asked_for() -> None:
    assert (
        bf16_anywhere.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("t4"), compute_dtype="fp16")
        )
        is None
    )


@pytest.mark.parametrize(
    ("model", "how"),
    [
        ("google/flan-t5-xl", "fp32"),
        ("google/gemma-3-4b-it", "unsloth"),
        ("google/gemma-2b", None),
        ("meta-llama/Llama-3.1-8B", None),
    ],
)
def test_a_model_that_overflows_in_fp16_is_not_sent_there(model: str, how: str | None) -> None:
    found = bf16_anywhere.check(case(model=model, kind="fits_check", gpus=cards("t4")))
    assert found is not None
    assert found.facts["overflows"] == how


def test_a_bare_size_has_no_habits() -> None:
    found = bf16_anywhere.check(case(params_b=4.0, kind="fits_check", gpus=cards("t4")))
    assert found is not None
    assert found.facts["overflows"] is None
