"""QLoRA is slower than LoRA in 16 bit: its weights are unpacked in every pass.

Source: estimator (speed of both on the same card); QLoRA, arXiv:2305.14314, sec. 3.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import ALL_ON_ONE, GOOD, short_name

ON = ("qlora_slower",)
USUAL = "rtx-4090"
PAIR = 2


def check(case: Case) -> Finding | None:
    """Say that it is normal, how much it costs here, and when 16 bit is the better choice."""
    if "qlora_slower" not in case.symptoms or not case.sized:
        return None
    if case.model is not None and case.model.moe:
        return None  # its small experts are what is slow (moe_is_slow)
    gpu = case.gpu or case.catalog.gpus[USUAL]
    lora: dict[str, Any] = {"method": "lora", "weight_bits": None, "quant": None, **ALL_ON_ONE}
    four = lora | {"method": "qlora"}
    stack = case.stacks_of_one[-1]
    rates = case.tokens_per_s(stack, gpu.name, **lora), case.tokens_per_s(stack, gpu.name, **four)
    seen = [float(second) for second in case.query.named.get("seen_s_per_step", ())]
    fits = case.need(case.stacks_of_one[0], **lora)
    return stop(
        times=rates[0] / rates[1] if rates[0] and rates[1] else None,
        seen=max(seen) / min(seen) if len(seen) == PAIR else None,
        card=short_name(gpu),
        need=fits.device,
        fits=fits.fit in GOOD if case.usable is not None else None,
        usable=case.usable,
        bug="asks_bug" in case.symptoms,
        eight="8" in case.query.named.get("weight_bits", ()),
    )
