"""A model said to be in 16 bit takes four bytes a parameter: it was loaded in fp32.

Source: from_pretrained's default dtype was float32 before transformers 5; TrainingArguments (`fp16` is autocast).
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind

ON = ("named",)
KINDS = frozenset({Kind.OOM_HELP, Kind.FITS_CHECK, Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE})
FOUR_BIT = 0.55
"""Bytes of a weight in nf4, with its constants."""


def check(case: Case) -> Finding | None:
    """Say what the figure is, and what loading in 16 or 4 bit takes."""
    told = case.query.named.get("loaded_wide", ())
    if not told or case.query.kind not in KINDS or case.full or case.query.compute_dtype == "fp32":
        return None
    size, seen = (float(value) for value in told)
    speak = warn if case.query.models or "shared_memory_counts" in case.claims else stop
    return speak(size=size, seen_gb=seen, half_gb=2 * size, four_gb=round(FOUR_BIT * size, 1), no_bf16=case.no_bf16)
