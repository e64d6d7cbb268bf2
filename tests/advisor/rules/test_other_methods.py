"""The rule other_methods."""

from advisor.rules import other_methods
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = other_methods.check(case(model="meta-llama/Llama-3.1-8B", kind="context_length", gpus=cards("rtx-3090")))
    assert found is not None


def test_silent_where_the_verdict_tells_them() -> None:
    told = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))
    assert told.advice is not None
    assert [row["code"] for row in told.advice.verdict.facts["ways"]] == ["lora", "full_8bit"]
    assert other_methods.check(told) is None


def test_silent_when_the_method_was_named() -> None:
    assert (
        other_methods.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), method="qlora")
        )
        is None
    )
