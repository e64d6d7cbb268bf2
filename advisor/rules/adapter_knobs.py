"""What a paged optimizer, offload and 8 bit do for adapters on one card, where they are asked for or planned.

Source: bitsandbytes, optimizers (paged states move only when the card is full); Answer.AI, FSDP-QLoRA (offload of a
4-bit base goes through FSDP); estimator.
"""

from typing import Any

from advisor.advice import Finding, note, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import FOUR_BIT, LORA_RANK, LORA_TARGETS

ON = ("optimizer", "offload")
KINDS = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.METHOD_CHOICE})


def check(case: Case) -> Finding | None:
    """Say which of the named savers save something here."""
    query = case.query
    if case.advice is None or case.advice.kind not in KINDS or not case.sized or case.full or case.n_cards > 1:
        return None
    paged = (query.optimizer or "").startswith("paged")
    offload = query.offload not in (None, "none")
    if not (paged or offload) or case.apple:
        return None
    eight = _eight_bit(case) if "8" in query.named.get("weight_bits", ()) else None
    speak = stop if paged + offload + (eight is not None) > 1 else note  # several: they are what is asked
    states = case.need(case.stacks[0], optimizer="adamw", offload="none").components.get("optimizer", 0)
    return speak(paged=paged, states=states, offload=offload, four_bit=case.method in FOUR_BIT, eight=eight)


def _eight_bit(case: Case) -> dict[str, Any]:
    """Bytes of LoRA on an 8-bit base at the leanest, and how that stands to the card."""
    slots: dict[str, Any] = {"method": "lora", "weight_bits": 8, "quant": None, "offload": None}
    slots |= {"lora_rank": case.query.lora_rank or LORA_RANK, "lora_targets": case.query.lora_targets or LORA_TARGETS}
    need = case.need(case.stacks[0], **slots)
    return {"device": need.device, "fit": need.fit}
