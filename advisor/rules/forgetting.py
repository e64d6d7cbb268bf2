"""Fine-tuning on narrow data costs general ability.

Source: LoRA Learns Less and Forgets Less, arXiv:2405.09673.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

ON = ("forgets",)


def check(case: Case) -> Finding | None:
    """Fine-tuning on narrow data costs general ability."""
    return warn() if "forgets" in case.symptoms and case.query.kind is not Kind.DATA_SIZE_QUALITY else None
