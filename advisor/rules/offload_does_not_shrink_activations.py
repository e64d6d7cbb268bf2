"""Offload moves states to RAM; activations, logits and the gathered layer stay on the card.

Source: ZeRO-Offload, arXiv:2101.06840.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.topics.oom_help.facts import in_use
from advisor.topics.system_ram.beside import STAYS

KINDS = frozenset({Kind.OOM_HELP, Kind.CONTEXT_LENGTH, Kind.FITS_CHECK})

FITS = frozenset({"needs", "should_fit", "length", "close", "later"})
"""Causes in which this is what the asker overlooks."""

TOLD = frozenset({"gpu_oom", "offload", "no_ram", "wants_ram", "save", "load", "generate", "disk"})
"""Verdicts that say what stays on the card, that the RAM decides, or that the training step is not the peak."""

ON = ("offload",)


def check(case: Case) -> Finding | None:
    """Offload moves states to RAM; activations, logits and the gathered layer stay on the card."""
    query = case.query
    if query.offload in (None, "none", "activations") or "killed" in case.symptoms or not case.sized:
        return None
    if query.kind not in KINDS and not (query.kind is Kind.SYSTEM_RAM and "oom_step" in case.symptoms):
        return None
    if case.advice and case.advice.verdict.code in TOLD:
        return None  # the answer says what stays, or that it is the RAM
    parts = case.plain.components
    speak = warn if "oom_step" in case.symptoms else note
    if speak is warn and case.advice and case.advice.kind is Kind.OOM_HELP and case.advice.verdict.code in FITS:
        speak = stop
    rest = sum(parts.get(name, 0) for name in STAYS)
    return speak(rest=rest, zero3=query.sharding == "zero3", on=in_use(case))
