"""A run that died, and the question whether all is lost.

Source: transformers, Trainer (resume_from_checkpoint; save_steps 500 by default).
"""

from advisor.advice import Finding, warn
from advisor.case import Case

ON = ("start_over",)


def check(case: Case) -> Finding | None:
    """That it goes on from the last checkpoint."""
    return warn() if "start_over" in case.symptoms else None
