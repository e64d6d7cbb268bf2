"""DPO adds a frozen reference and twice the sequences, not a second optimizer.

Source: DPO, arXiv:2305.18290; TRL DPOTrainer: with PEFT the reference is the base without adapters.
"""

from advisor.advice import Finding, correct, note, stop
from advisor.case import Case
from advisor.query import Kind

ON = ("dpo_is_double", "algorithm")


def check(case: Case) -> Finding | None:
    """DPO adds a frozen reference and twice the sequences, not a second optimizer."""
    if "dpo_is_double" not in case.claims and case.query.algorithm not in ("dpo", "kto"):
        return None
    if case.advice and case.advice.verdict.code == "preference":
        return None  # the answer says it
    if case.advice and case.advice.kind is Kind.SYSTEM_RAM and "dpo_is_double" not in case.claims:
        return None  # the answer says what the reference takes there
    believed = "dpo_is_double" in case.claims
    asked = believed and case.query.algorithm in ("dpo", "kto")
    copy = 2 * case.params if case.params else None
    speak = stop if asked else correct if believed else note
    return speak(asked=asked, full=case.full, copy=copy, reference=copy if case.full else None)
