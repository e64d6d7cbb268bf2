"""A run that died, and the question whether all is lost.

Source: transformers, Trainer (resume_from_checkpoint; save_steps 500 by default).
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

HELPED = frozenset({Kind.OOM_HELP, Kind.FITS_CHECK, Kind.SYSTEM_RAM, Kind.MULTI_GPU})

ON = ("start_over",)


def check(case: Case) -> Finding | None:
    """That it goes on from the last checkpoint."""
    asked = "start_over" in case.symptoms and case.query.kind in HELPED
    return warn() if asked else None
