"""A run that generates while it trains: what vLLM holds beside it, and what each method takes without it."""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.rollouts import reserved
from advisor.stacks import ALONE, FOUR_BIT, FULL_ADAMW
from advisor.topics.oom_help.facts import FP32, cramped, on_a_mac

RAN_OUT = frozenset({"oom_step", "oom_later", "oom_load"})
FAR_OFF = 4
"""Times the card from which on nobody means to train all weights on it."""
FILLED = 1.2
"""Times the card from which on vLLM's copy and the training do not stand side by side, whatever is lowered."""
TWO = 2
"""Cards from which on weights are split, and the step to the next split."""
WHOLE: dict[str, Any] = {**ALONE, "weight_bits": None}
"""One card, and weights as the method has them."""


def generating(case: Case) -> dict[str, Any]:
    """Whether it is meant to fill the card, and what all weights take where nobody said how they are trained."""
    return {
        "full": _in_full(case),
        "of_several": of_several(case),
        "pool_fills": _pool_fills(case),
        "by_design": by_design(case),
        "pool": _pool(case),
        "answer_logits": FP32 * case.seq_len * case.setup.vocab if case.sized else None,
        "cramped": cramped(case),
    }


def _pool_fills(case: Case) -> bool:
    """vLLM's copy of 16-bit weights leaves no room beside it on a card, however the training is split or offloaded."""
    copies = case.usable is not None and case.method not in FOUR_BIT and not on_a_mac(case)
    return copies and 2 * (case.params or 0) + case.lean.device > FILLED * (case.usable or 0)


def _pool(case: Case) -> dict[str, Any] | None:
    """What vLLM, its weights split over some cards, holds of each beside the training, which is split over all; where
    the asker says how it is split.
    """
    split = int(float(case.query.named.get("rollout_tp", ("0",))[0]))
    if split < TWO or case.usable is None or not case.sized or on_a_mac(case):
        return None
    weights, count = 2 * (case.params or 0), max(split, case.n_cards)
    share = reserved(case)
    pool = int(share * case.usable) if share is not None else None
    return {
        "split": split,
        "copy": weights // split,
        "pool": pool,
        "left": case.usable - (pool if pool is not None else weights // split),
        "trained": weights // count,
        "count": count,
        "wider": TWO * split,
        "wider_copy": weights // (TWO * split),
    }


def _in_full(case: Case) -> int | None:
    """What all weights take where nobody said how they are trained, and somebody may mean that on this card."""
    if case.query.method is not None or case.full:
        return None
    full = method_rows(case)[-1].device
    return full if full < FAR_OFF * (case.usable or full) else None


def of_several(case: Case) -> bool:
    """A figure that is told or was read is less than all weights take, which this card does not hold: it is of one
    among several cards that split them.
    """
    if not (case.query.claimed_gib or case.query.seen_gib) or case.usable is None or case.n_cards > 1:
        return False
    full = _in_full(case)
    return full is not None and full > case.usable


def by_design(case: Case) -> bool:
    """vLLM fills the card as it was told to: nothing was refused."""
    refused = case.symptoms & RAN_OUT or case.query.tried_allocate_gib is not None
    return "oom_generate" in case.symptoms and not refused


def method_rows(case: Case) -> tuple[Need, ...]:
    """The need with QLoRA, 16-bit LoRA and full fine-tuning, plain AdamW in mixed precision."""
    qlora = case.need(case.stacks[-1], method="qlora", **WHOLE).model_copy(update={"stack": "qlora"})
    lora = case.need(case.stacks[-1], method="lora", **WHOLE).model_copy(update={"stack": "lora"})
    full = case.need(FULL_ADAMW, method="full", optimizer="adamw", autocast=True, **WHOLE)
    return qlora, lora, full.model_copy(update={"stack": "full"})
