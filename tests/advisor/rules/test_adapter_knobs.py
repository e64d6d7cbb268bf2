"""The rule adapter_knobs."""

from typing import Any

from advisor.rules import adapter_knobs
from advisor.stacks import GIB
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case

MOE: dict[str, Any] = {"kind": "fits_check", "model": "Qwen/Qwen3-30B-A3B", "gpus": cards("rtx-3090")}


def test_speaks_first_where_several_are_asked_about() -> None:
    """Eight bits of 30e9 weights do not fit 24 GB; the adapters' states are small beside them."""
    found = adapter_knobs.check(
        case(**MOE, optimizer="paged_adamw_32bit", offload="nvme", named={"weight_bits": ("4", "8")})
    )
    assert found is not None
    assert found.gravity == "stop"
    assert 0 < found.facts["states"] < 8 * GIB
    assert found.facts["eight"]["device"] > 30 * GIB
    assert found.facts["eight"]["fit"] == "no"


def test_one_that_is_merely_used_is_a_note() -> None:
    found = adapter_knobs.check(case(**MOE, optimizer="paged_adamw_8bit"))
    assert found is not None
    assert found.gravity == "note"
    assert not found.facts["offload"]


def test_silent_where_every_weight_is_trained_or_the_model_is_split() -> None:
    full: dict[str, Any] = {"kind": "fits_check", "params_b": 8.0, "method": "full", "gpus": cards("rtx-3090")}
    assert adapter_knobs.check(case(**full, optimizer="paged_adamw_8bit")) is None
    assert adapter_knobs.check(case(**(MOE | {"gpus": cards("rtx-3090", 2)}), offload="params")) is None
    assert adapter_knobs.check(case(**MOE)) is None


def test_experts_that_hardly_fit_leave_no_room_for_a_batch() -> None:
    text = "recipe for Qwen3-30B-A3B on one 3090: nf4? 8bit? paged optimizer? cpu/nvme offload? what batch + max length"
    made = answer(Question(text=text))
    assert made.reply.title.startswith("Hardly, and only if the loader keeps the experts in 4 bit")
    assert "**Batch**: 1" in made.reply.text
    assert "8 bit" in made.reply.text
