"""FSDP shards 4-bit weights only where they are stored in the compute dtype; else the first card gets the whole model.

Source: bitsandbytes documentation, "FSDP-QLoRA": bnb_4bit_quant_storage equals the dtype of the other layers; PEFT
documentation, "Use PEFT QLoRA and FSDP for finetuning large models on multiple GPUs".
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import FOUR_BIT, GOOD
from advisor.topics.system_ram.beside import FSDP

ON = ("one_card_used", "uneven")
COSTLY = True


def check(case: Case) -> Finding | None:
    """One card fills and the others stay empty, under FSDP and in 4 bit."""
    query = case.query
    if query.sharding not in FSDP or case.method not in FOUR_BIT or query.quant or query.trainer == "unsloth":
        return None
    if not case.symptoms & {"one_card_used", "uneven"} or case.n_cards == 1:
        return None
    copied = case.need(case.stacks[0], sharding="ddp", offload="none") if case.sized and case.usable else None
    holds = copied is not None and copied.fit in GOOD
    return stop(
        dtype="float16" if case.no_bf16 else "bfloat16",
        copied=copied.device if copied is not None and holds else None,
        usable=case.usable,
    )
