"""All weights on too few cards: how many of them it takes, and what the states come to.

Source: estimator; ZeRO, arXiv:1910.02054, sec. 3: 16 bytes per parameter with Adam in mixed precision.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.stacks import STATES
from advisor.tiers import cards_that_hold
from advisor.topics.multi_gpu.counts import ALL_WEIGHTS, SPLIT_ADAMW, SPLIT_FULL

SHORT_OF = frozenset({"too_big", "none_fits", "fsdp_offload", "no", "unlikely"})
STATE_PARTS = ("weights", "gradients", "optimizer")
"""What more cards share."""
ZERO = frozenset({"zero2", "zero3"})
"""DeepSpeed, whose optimizer keeps weights and states in fp32 besides (deepspeed/runtime/zero/stage3.py)."""
ON = ("several",)


def check(case: Case) -> Finding | None:
    """How many of the asker's cards all weights take, where theirs are too few."""
    if not (case.full and case.sized and case.usable and case.n_cards > 1) or case.query.offload not in (None, "none"):
        return None
    if case.advice is None or case.advice.verdict.code not in SHORT_OF:
        return None
    parts = case.plain.components
    if 2 * sum(parts.get(name, 0) for name in STATE_PARTS) < case.plain.device:
        return None  # what each card holds of its own sequences is the reason: more cards do not help
    counts = [
        cards_that_hold(case, stack, case.usable, least=case.n_cards, **ALL_WEIGHTS)
        for stack in (SPLIT_FULL, SPLIT_ADAMW)
    ]
    eight = None if case.no_bf16 else counts[0]
    adamw = counts[1] if counts[1] != eight else None
    states = STATES * (case.params or 0)
    return correct(
        model=case.model_name, eight=eight, adamw=adamw, states=states, count=case.n_cards, **_here(case, eight)
    )


def _here(case: Case, eight: int | None) -> dict[str, object]:
    """Bytes per card where the asker's own cards are enough, in another split than theirs."""
    enough = eight is not None and eight <= case.n_cards
    need = (
        case.need(SPLIT_FULL, **ALL_WEIGHTS, n_gpus=case.n_cards, sharding="fsdp", offload="none") if enough else None
    )
    return {"here": need.device if need else None, "zero": case.query.sharding in ZERO}
