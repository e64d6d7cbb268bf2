"""The rule zero2_copies_weights."""

from advisor.rules import zero2_copies_weights
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = zero2_copies_weights.check(
        case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("a10g", 4), sharding="zero2", method="lora")
    )
    assert found is not None


def test_silent_on_zero3() -> None:
    assert (
        zero2_copies_weights.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="multi_gpu",
                gpus=cards("a10g", 4),
                sharding="zero3",
                method="lora",
            )
        )
        is None
    )


def test_the_sum_of_zero3_is_not_that_of_zero2() -> None:
    asked = {"params_b": 7.0, "kind": "oom_help", "method": "full", "sharding": "zero2", "gpus": cards("rtx-3090", 4)}
    found = zero2_copies_weights.check(case(**asked, symptoms=("oom_step",)))
    assert found is not None
    assert found.facts["all"] == 8 * found.facts["weights"]
    assert zero2_copies_weights.check(case(**asked)) is None


def test_silent_where_the_kernel_ended_the_run() -> None:
    slots = {
        "params_b": 30.0,
        "method": "full",
        "sharding": "zero2",
        "offload": "optimizer",
        "gpus": cards("h200-sxm", 8),
    }
    assert zero2_copies_weights.check(case(kind="system_ram", **slots, symptoms=("killed",))) is None
    assert zero2_copies_weights.check(case(kind="oom_help", **slots, symptoms=("oom_step",))) is not None
