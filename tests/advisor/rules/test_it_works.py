"""The rule it_works."""

from advisor.rules import it_works
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        params_b=6.0,
        kind="fits_check",
        gpus=cards("rtx-3080-10gb"),
        method="lora",
        micro_batch=16,
        weight_bits=8,
        symptoms=("it_works",),
    )
    assert it_works.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), symptoms=("it_works",))
    assert it_works.check(made) is None
