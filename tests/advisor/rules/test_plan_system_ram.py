"""The rule plan_system_ram."""

from advisor.rules import plan_system_ram
from tests.advisor.rules.ask import cards, case


def test_speaks_where_a_machine_is_planned() -> None:
    found = plan_system_ram.check(case(model="meta-llama/Llama-3.1-8B", kind="which_gpu"))
    assert found is not None


def test_silent_for_a_card_at_hand_of_whose_machine_nothing_is_said() -> None:
    assert plan_system_ram.check(case(params_b=8.0, kind="fits_check", gpus=cards("rtx-3090"))) is None


def test_silent_where_one_memory_is_both() -> None:
    for gpu in ("jetson-agx-orin-64gb", "dgx-spark", "apple-m3-max"):
        asked = case(params_b=8.0, kind="fits_check", gpus=cards(gpu), ram_gb=16.0)
        assert plan_system_ram.check(asked) is None


def test_silent_where_there_is_enough() -> None:
    assert (
        plan_system_ram.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), ram_gb=64.0)
        )
        is None
    )


def test_speaks_where_the_offloaded_states_outgrow_the_memory() -> None:
    found = plan_system_ram.check(
        case(
            model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), method="full", ram_gb=64.0,
            offload="params", trainer="deepspeed",
        )
    )  # fmt: skip
    assert found is not None
    assert found.facts["offloaded"] > found.facts["ram_gb"]
