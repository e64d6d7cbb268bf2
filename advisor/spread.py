"""How a model lies on several cards where nobody says so."""

from typing import TYPE_CHECKING

from advisor.asked import FAILURES
from advisor.stacks import GOOD

if TYPE_CHECKING:
    from advisor.case import Case

PREQUANTISED = frozenset({"gptq", "awq"})
"""Quantised builds, nearly all in 4 bit; FSDP cannot split such weights."""


def sharding_of(case: "Case") -> str:
    """Stated; else split where the asker says so, a copy per card where one card holds the model, split where it does
    not; none for one card.
    """
    query = case.query
    if query.sharding:
        return query.sharding
    if case.n_cards == 1:
        return "none"
    if query.trainer == "deepspeed" and query.offload not in (None, "none"):
        return "zero3"  # ZeRO's offload, so at least its stage 2
    if case.usable is None or not case.sized or query.quant in PREQUANTISED:
        return "ddp"
    if "is_split" in case.symptoms:
        return "pipeline" if query.trainer == "unsloth" else "fsdp"  # layer by layer where the trainer does no other
    if not case.full and "trains_embeddings" in case.symptoms and case.symptoms & FAILURES:
        return "ddp"  # what died was a copy per card that the embeddings made too large
    copy = case.need(case.stacks_of_one[0], n_gpus=case.n_cards, sharding="ddp")
    return "ddp" if copy.fit in GOOD else "fsdp"
