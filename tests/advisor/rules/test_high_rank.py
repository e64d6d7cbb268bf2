"""The rule high_rank."""

from advisor.rules import high_rank
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = high_rank.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090"), lora_rank=256)
    )
    assert found is not None


def test_silent_at_a_usual_rank() -> None:
    assert (
        high_rank.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090"), lora_rank=16))
        is None
    )


def test_is_the_reason_where_the_usual_rank_fits() -> None:
    asked = {"kind": "oom_help", "model": "meta-llama/Meta-Llama-3-8B", "method": "lora", "gpus": cards("rtx-3090")}
    found = high_rank.check(case(**asked, lora_rank=256, symptoms=("oom_step",)))
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["usual"] < found.facts["usual"] + found.facts["adapters"]
