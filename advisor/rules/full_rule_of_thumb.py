"""Full fine-tuning without a size: bytes per parameter.

Source: ZeRO, arXiv:1910.02054, sec. 3: 2 + 2 + 12 bytes.
"""

from advisor.advice import Finding, note
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """Full fine-tuning without a size: bytes per parameter; not where "SFT" stands beside DPO and the like."""
    stages = len(case.query.named.get("algorithm", ())) > 1
    return note() if case.full and not case.sized and not stages else None
