"""A card that refuses the plan however much memory it has: the chip, the trainer, or 4 bit.

Source: facts/capabilities, facts/trainers (advisor/refused.py); vLLM wants compute capability 7.0 (installation page);
unsloth#1998, FastChat#747.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import ROLLOUTS
from advisor.case import Case
from advisor.refused import refusal
from advisor.stacks import ALL_ON_ONE, short_name

ON = ("card_before_volta", "amd_card", "intel_card", "apple_card")


def check(case: Case) -> Finding | None:
    """Say what refuses the card, and where the same runs."""
    found = refusal(case)
    if found is None or (found.why == "maker" and case.advice and case.advice.kind == "trainer_choice"):
        return None  # which trainer runs there is that answer itself
    bare: dict[str, Any] = {"method": "lora", "weight_bits": None, "quant": None, **ALL_ON_ONE}
    lora = case.need(case.stacks[0], **bare) if found.why == "four_bit" and case.sized else None
    return stop(
        why=found.why,
        card=short_name(found.gpu),
        chip=found.gpu.compute_capability,
        maker=found.gpu.vendor,
        trainer=case.query.trainer,
        generates=case.query.algorithm in ROLLOUTS,
        lora=lora.device if lora else None,
        lora_fit=lora.fit if lora else None,
    )
