"""Fine-tuning on narrow data costs general ability.

Source: LoRA Learns Less and Forgets Less, arXiv:2405.09673.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind

ON = ("forgets",)


def check(case: Case) -> Finding | None:
    """Fine-tuning on narrow data costs general ability."""
    if "forgets" not in case.symptoms:
        return None
    asked = case.query.kind is Kind.DATA_SIZE_QUALITY
    return stop(asked=True) if asked else warn(asked=False)
