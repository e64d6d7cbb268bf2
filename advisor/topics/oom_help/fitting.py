"""What an answer says of a run that failed although it should fit: the suspects in order, and the way out."""

from typing import Any

from advisor.case import Case
from advisor.machine import loads_beyond_ram
from advisor.query import Kind
from advisor.refused import four_bit_runs
from advisor.stacks import ALL_ON_ONE
from advisor.topics.hidden import DEFAULT_BATCH, MOST_SUSPECTS, limits, of_fitting
from advisor.topics.oom_help.cause import PREFERENCE
from advisor.topics.oom_help.facts import COPIES, MOSTLY, on_a_mac

BY_LENGTH = frozenset({"length", "shorter", "batch", "checkpointing", "both"})
"""Suspects that an answer in lengths tells as lengths."""
LIMITS = ("limit_batch", "limit_unchecked")
BEFORE = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU})
"""Kinds of question of who has not begun."""
RICH: dict[str, Any] = {"micro_batch": DEFAULT_BATCH, "grad_checkpointing": False}
"""Settings of a script that was made for large cards."""
FEW = 2
"""Suspects with figures below which the script itself is one."""
MLX_BATCH = 4
"""Sequences of a step that mlx-lm takes unless told (facts/trainers.yaml, mlx-lm)."""


def should_fit(case: Case) -> dict[str, Any]:
    """What else may hide in a set-up that fits."""
    facts = of_fitting(case, case.stacks[-1])
    whys = [suspect["why"] for suspect in facts["suspects"]]
    return (
        facts
        | _beside(case, facts["suspects"])
        | {
            "by_length": "shorter" in whys,
            "script": script_unsaid(case, facts["suspects"]),
            "ram_short": loads_beyond_ram(case) is not None,
        }
    )


def _beside(case: Case, suspects: list[dict[str, Any]]) -> dict[str, Any]:
    """What stands beside the suspects, in lengths or not."""
    return {
        "listed": _listed(case, suspects),
        "as_shipped": _as_shipped(case),
        "in_4_bit": in_4_bit(case),
        "rich": case.need(case.stacks[-1], **RICH).device if of_others(case) else None,
    }


def of_others(case: Case) -> bool:
    """Only others ran out of memory; who asks has not begun."""
    return "others_ran_out" in case.symptoms and case.query.kind in BEFORE


def script_unsaid(case: Case, suspects: list[dict[str, Any]]) -> bool:
    """The card holds nearly whatever the settings may be, so the script itself may do more than plain SFT."""
    plain = case.query.algorithm is None and case.query.trainer is None and case.usable is not None
    return plain and 0 < len(suspects) < FEW and not case.full and not on_a_mac(case)


def length(case: Case) -> dict[str, Any]:
    """Which lengths the card holds, and what else may hide in a set-up that fits."""
    stack = case.stacks[-1]
    facts = of_fitting(case, stack) | limits(case, stack)
    told = [{"why": code, "bytes": facts[code]} for code in LIMITS if _below(facts, code)]
    others = [suspect for suspect in facts["suspects"] if suspect["why"] not in BY_LENGTH]
    copied = [suspect for suspect in others if suspect["why"] == "copied"]
    rest = [suspect for suspect in others if suspect["why"] != "copied"]
    suspects = [*copied, *told, *rest][:MOST_SUSPECTS]
    return facts | {"suspects": suspects} | _beside(case, suspects)


def _listed(case: Case, suspects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The suspects with what no figure tells: ZeRO-3's buffers, kernels of linear attention, several answers an
    example, another process. Nothing where none has figures.
    """
    several = [{"why": "several_answers"}] if script_unsaid(case, suspects) else []
    if case.query.sharding == "zero3":
        suspects = [*suspects, {"why": "buffers"}]
    if suspects and case.plan(case.stacks[-1]).shape.full_attention_share < 1:
        suspects = [*suspects, {"why": "kernels"}]
    process = [] if of_others(case) else [{"why": "process"}]
    return [*suspects, *several, *process] if suspects else []


def in_4_bit(case: Case) -> list[int] | None:
    """Bytes of the same run with QLoRA, on the leanest stack and on the last, where the adapters stand on weights in 16
    bit and the card takes 4.
    """
    plain = case.query.method == "lora" and case.method == "lora" and not case.query.quant
    if not plain or case.query.weight_bits not in (None, 16) or on_a_mac(case) or case.query.algorithm in PREFERENCE:
        return None
    lean, four = (case.need(stack, method="qlora", weight_bits=None) for stack in (case.stacks[0], case.stacks[-1]))
    return [lean.device, four.device] if four.device < case.plain.device else None


def four_on_one(case: Case) -> dict[str, Any] | None:
    """What QLoRA takes on one card, where adapters on 16-bit weights are too much for several."""
    plain = case.query.method == "lora" and case.method == "lora" and not case.query.quant
    if not plain or case.query.weight_bits == 16 or case.n_cards == 1 or on_a_mac(case) or not four_bit_runs(case):
        return None
    if case.sharding in COPIES and 2 * (case.params or 0) < MOSTLY * (case.usable or 0):
        return None  # what fills the card is no weights
    four = case.need(case.stacks_of_one[-1], method="qlora", weight_bits=None, **ALL_ON_ONE)
    return {"device": four.device, "told": case.query.weight_bits} if four.fit == "yes" else None


def _as_shipped(case: Case) -> int | None:
    """On a Mac: bytes with the batch and without the checkpointing that mlx-lm takes where nobody says so."""
    if not on_a_mac(case) or case.query.trainer not in (None, "mlx", "mlx-lm"):
        return None
    batch, checkpointing = case.query.micro_batch or MLX_BATCH, bool(case.query.grad_checkpointing)
    return case.need(case.stacks[-1], micro_batch=batch, grad_checkpointing=checkpointing).device


def _below(facts: dict[str, Any], code: str) -> bool:
    """A limit that is below the one of the set-up as it stands."""
    return facts[code] is not None and facts["limit"] is not None and facts[code] < facts["limit"]
