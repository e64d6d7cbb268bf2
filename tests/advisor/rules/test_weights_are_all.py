"""The rule weights_are_all."""

from advisor.rules import weights_are_all
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = weights_are_all.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("weights_are_all",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert weights_are_all.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None


def test_the_rule_of_thumb_is_not_said_twice() -> None:
    asked = {"model": "openai-community/gpt2-xl", "method": "full", "claims": ("weights_are_all",)}
    for kind, told in (("oom_help", False), ("faq_definition", True)):
        found = weights_are_all.check(case(kind=kind, **asked))
        assert found is not None
        assert (found.facts["states_gb"] is None) is told


def test_with_every_weight_it_is_the_sum_of_the_rule_of_thumb_and_of_the_table() -> None:
    """GPT-2 XL on a GTX 1080 Ti: 30 GiB with AdamW, not the 20 of its 8-bit row under a rule that says 16 bytes."""
    asked = case(
        model="openai-community/gpt2-xl", method="full", kind="faq_definition", gpus=cards("gtx-1080-ti"),
        claims=("weights_are_all",),
    )  # fmt: skip
    found = weights_are_all.check(asked)
    assert found is not None
    assert asked.advice is not None
    plain = next(row for row in asked.advice.verdict.facts["rows"] if row["code"] == "full_adamw")
    assert found.facts["stack"] == "full_adamw"
    assert found.facts["weights"] + found.facts["rest"] == plain["device"]
    assert asked.advice.verdict.facts["lean_bytes"] == 10
