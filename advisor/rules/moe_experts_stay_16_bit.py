"""bitsandbytes does not quantise fused expert tensors, so 4-bit does not give a quarter.

Source: QUESTIONS (Qwen3-30B-A3B took 29.6 GB to load in 4-bit); bitsandbytes replaces nn.Linear only.
"""

from advisor.advice import Finding, warn
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """bitsandbytes does not quantise fused expert tensors, so 4-bit does not give a quarter."""
    model = case.model
    if model is None or model.params_active is None or case.method not in ("qlora", "qdora"):
        return None
    if case.advice and case.advice.verdict.code in ("moe_load", "experts"):
        return None
    return warn(params=model.params_total, sixteen=2 * model.params_total, four=model.params_total * 9 // 16)
