"""SFT, DPO, ORPO, GRPO … side by side: what each takes, and what it is for."""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.asked import ROLLOUTS
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import LORA_RANK, LORA_TARGETS, STOCK, UNSLOTH
from advisor.tiers import roomy
from advisor.topics.method_choice.ways import EIGHT_B

MOST = 4
QLORA: dict[str, Any] = {
    "method": "qlora",
    "weight_bits": None,
    "quant": None,
    "optimizer": "adamw_8bit",
    "lora_rank": LORA_RANK,
    "lora_targets": LORA_TARGETS,
}


def named(case: Case) -> tuple[str, ...]:
    """The algorithms that the question sets side by side."""
    return tuple(dict.fromkeys(case.query.named.get("algorithm", ())))[:MOST]


def algorithms(case: Case) -> Advice:
    """The named algorithms on the leanest and the plainest stack."""
    stated = case.sized and case.query.sources.get("method") == "stated"
    assumed = not case.sized or (case.full and not stated)  # "SFT" alone says nothing of all weights
    size = {} if case.sized else {"params_b": EIGHT_B}
    ends = (UNSLOTH, STOCK) if assumed else (case.stacks[0], case.stacks[-1])
    slots = (QLORA if assumed else {}) | size
    rows: list[dict[str, Any]] = []
    needs = []
    for name in named(case):
        lean, stock = (case.need(stack, **slots, algorithm=name) for stack in ends)
        needs.append(lean)
        row = {"code": name, "lean": lean.device, "stock": stock.device, "fits": (lean.fit, stock.fit)}
        rows.append(row | {"gb": roomy(case, lean), "generates": name in ROLLOUTS})
    facts: dict[str, Any] = {
        **case.where,
        "rows": rows,
        "stacks": [stack.code for stack in ends],
    }
    shown = {"method": "qlora", "lora_rank": LORA_RANK} if assumed else {}
    return Advice(
        kind=Kind.METHOD_CHOICE,
        query=case.query,
        verdict=Verdict(code="algorithms", facts=facts),
        setup=case.setup.model_copy(update={"algorithm": None, **shown}) if case.sized else None,
        needs=tuple(needs),
        offers=("kind=time_estimate", "method=qlora", "method=lora", "show=config"),
    )
