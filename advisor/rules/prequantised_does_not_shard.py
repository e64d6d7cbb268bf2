"""GPTQ and AWQ weights cannot be sharded by FSDP; FSDP-QLoRA wants bitsandbytes with bf16 storage.

Source: bitsandbytes documentation, FSDP-QLoRA: bnb_4bit_quant_storage.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.estimator.sharding import SHARDED

ON = ("quant",)


def check(case: Case) -> Finding | None:
    """GPTQ and AWQ weights cannot be sharded by FSDP; FSDP-QLoRA wants bitsandbytes with bf16 storage."""
    quant = (case.query.quant or "").lower()
    if not quant.startswith(("gptq", "awq")) or case.n_cards < 2:
        return None
    speak = stop if case.query.sharding in SHARDED else warn
    return speak(quant=quant.split("-")[0].upper())
