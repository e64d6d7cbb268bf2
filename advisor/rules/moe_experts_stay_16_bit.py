"""bitsandbytes does not quantise fused expert tensors, so 4-bit does not give a quarter.

Source: QUESTIONS (Qwen3-30B-A3B took 29.6 GB to load in 4-bit); bitsandbytes replaces nn.Linear only.
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import ROLLOUTS
from advisor.case import Case
from advisor.stacks import FOUR_BIT
from advisor.topics.oom_help import huge_block
from advisor.topics.oom_help.generating import RAN_OUT

FUSED = ("dbrx", "gpt-oss", "llama-4")
"""Families whose experts are one tensor by design, so no loader that replaces nn.Linear quantises them."""

ON = ("experts",)


def check(case: Case) -> Finding | None:
    """bitsandbytes does not quantise fused expert tensors, so 4-bit does not give a quarter."""
    model = case.model
    if model is None or model.params_active is None or case.method not in FOUR_BIT:
        return None
    if case.advice and case.advice.verdict.code in ("moe_load", "experts"):
        return None
    calculated = "table_covers_me" in case.claims
    named = [model, *(case.catalog.models[name] for name in case.query.models if name in case.catalog.models)]
    fused = next((m for m in named if any(family in m.id.lower() for family in FUSED)), None)
    if fused is not None and case.symptoms & RAN_OUT and case.query.trainer != "unsloth" and not huge_block(case):
        total = fused.params_total
        speak = warn if case.query.algorithm in ROLLOUTS else stop  # there the rollouts come first
        return speak(name=fused.id.split("/")[-1], sixteen=2 * total, four=total * 9 // 16, calculated=calculated)
    if case.advice and case.advice.verdict.code in ("no", "none_fits") and not case.symptoms:
        return None  # not even 4 bit fits: what is possible instead matters more
    changes = case.advice.changes if case.advice is not None and case.n_cards > 1 else ()
    loader = any(change.slot == "experts" for change in changes)
    speak = stop if loader and case.symptoms & RAN_OUT else warn  # it is among the reasons why it ran out
    sizes = {"sixteen": 2 * model.params_total, "four": model.params_total * 9 // 16}
    return speak(name=None, calculated=calculated, **sizes)
