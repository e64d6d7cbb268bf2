"""A run with vLLM beside it that dies while loading: vLLM reserves its share of the card there, before any training.

Source: vLLM, engine arguments (`gpu_memory_utilization`, 0.9 by default); Unsloth documentation, memory-efficient RL
(`UNSLOTH_VLLM_STANDBY`); unsloth#3328 (standby overrides the share that was asked for).
"""

from advisor.advice import Finding, stop
from advisor.asked import ROLLOUTS
from advisor.case import Case

ON = ("oom_load",)
DEFAULT = 0.9


def check(case: Case) -> Finding | None:
    """Tell what vLLM reserves of the card, and what the training itself takes."""
    told = case.query.named.get("rollout_share")
    beside = "vllm_loads" in case.symptoms or told is not None
    if "oom_load" not in case.symptoms or not beside or case.query.algorithm not in ROLLOUTS:
        return None
    share = float(told[0]) if told else DEFAULT
    share = share / 100 if share > 1 else share
    return stop(
        percent=round(100 * share),
        stated=told is not None,
        held=int(share * case.usable) if case.usable else None,
        usable=case.usable,
        need=case.lean.device if case.sized else None,
        unsloth=case.query.trainer == "unsloth",
    )
