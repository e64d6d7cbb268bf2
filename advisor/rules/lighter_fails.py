"""LoRA runs and QLoRA does not: it needs less, so the set-up is at fault.

Source: PEFT documentation, prepare_model_for_kbit_training; QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("lighter_fails",)


def check(case: Case) -> Finding | None:
    """LoRA runs and QLoRA does not: it needs less, so the set-up is at fault."""
    if "lighter_fails" not in case.symptoms:
        return None
    params = case.params
    return stop(four=params * 9 // 16 if params else None, sixteen=2 * params if params else None)
