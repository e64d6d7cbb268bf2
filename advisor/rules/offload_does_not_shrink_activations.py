"""Offload moves states to RAM; activations, logits and the gathered layer stay on the card.

Source: ZeRO-Offload, arXiv:2101.06840.
"""

from advisor.advice import Finding, note, warn
from advisor.case import Case
from advisor.query import Kind

KINDS = frozenset({Kind.OOM_HELP, Kind.CONTEXT_LENGTH, Kind.FITS_CHECK})

ON = ("offload",)


def check(case: Case) -> Finding | None:
    """Offload moves states to RAM; activations, logits and the gathered layer stay on the card."""
    query = case.query
    if query.offload in (None, "none", "activations") or "killed" in case.symptoms or not case.sized:
        return None
    if query.kind not in KINDS and not (query.kind is Kind.SYSTEM_RAM and "oom_step" in case.symptoms):
        return None
    if case.advice and case.advice.verdict.code == "gpu_oom":
        return None
    parts = case.needs()[-1].components
    rest = parts.get("activations", 0) + parts.get("logits", 0) + parts.get("temporaries", 0)
    speak = warn if "oom_step" in case.symptoms else note
    return speak(rest=rest)
