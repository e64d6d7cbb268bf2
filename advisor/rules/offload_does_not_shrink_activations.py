"""Offload moves states to RAM; activations, logits and the gathered layer stay on the card.

Source: ZeRO-Offload, arXiv:2101.06840.
"""

from advisor.advice import Finding, note
from advisor.case import Case
from advisor.query import Kind


def check(case: Case) -> Finding | None:
    """Offload moves states to RAM; activations, logits and the gathered layer stay on the card."""
    if (
        case.query.offload in (None, "none")
        or case.query.kind not in (Kind.OOM_HELP, Kind.CONTEXT_LENGTH, Kind.FITS_CHECK)
        or "killed" in case.symptoms
        or not case.sized
    ):
        return None
    parts = case.needs()[-1].components
    rest = parts.get("activations", 0) + parts.get("logits", 0) + parts.get("temporaries", 0)
    return note(rest=rest)
