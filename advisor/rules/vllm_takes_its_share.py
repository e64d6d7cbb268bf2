"""A run with vLLM beside it that dies while loading: vLLM reserves its share of the card there, before any training.

Source: vLLM, engine arguments (`gpu_memory_utilization`, 0.9 by default); Unsloth documentation, memory-efficient RL
(`UNSLOTH_VLLM_STANDBY`); unsloth#3328 (standby overrides the share that was asked for).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.rollouts import PERCENT, is_beside, reserved

ON = ("oom_load",)
DEFAULT = 0.9


def check(case: Case) -> Finding | None:
    """Tell what vLLM reserves of the card, and what the training itself takes."""
    if "oom_load" not in case.symptoms or not is_beside(case):
        return None
    told = reserved(case)
    share = DEFAULT if told is None else told
    return stop(
        percent=round(PERCENT * share),
        stated=told is not None,
        held=int(share * case.usable) if case.usable else None,
        usable=case.usable,
        need=case.lean.device if case.sized else None,
        unsloth=case.query.trainer == "unsloth",
    )
