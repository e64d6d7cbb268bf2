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


def test_several_cards_get_each_methods_share_per_card() -> None:
    found = other_methods.check(case(params_b=7.0, kind="context_length", gpus=cards("rtx-3090", 2)))
    assert found is not None
    assert [(row["code"], row["fit"]) for row in found.facts["ways"]] == [("lora", "yes"), ("full_8bit", "no")]
