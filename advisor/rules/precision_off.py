"""With fp16 and bf16 both off the Trainer computes in fp32: twice the activations, and no tensor cores in 16 bit.

Source: transformers, TrainingArguments (fp16, bf16: both False by default, then no autocast).
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("precision_off",)


def check(case: Case) -> Finding | None:
    """With fp16 and bf16 both off the Trainer computes in fp32."""
    if "precision_off" not in case.symptoms:
        return None
    speak = stop if case.symptoms & FAILURES else warn
    return speak(no_bf16=case.no_bf16, unsloth=case.query.trainer == "unsloth")
