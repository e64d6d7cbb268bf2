"""Who trains for the first time: which trainer to start in, and with what data.

Source: trainers.yaml (which of them have an interface); S53 (about 1,000 curated examples).
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.topics.data_size_quality import FLOOR
from advisor.topics.trainer_choice import choose
from advisor.verdicts import FITS

ON = ("beginner",)
WITH_AN_INTERFACE = "llama-factory"
BESIDE = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH})


def check(case: Case) -> Finding | None:
    """Which trainer to start in, and with what data, where the card holds what a beginner plans."""
    if "beginner" not in case.symptoms or case.advice is None or case.query.kind not in BESIDE or not case.sized:
        return None
    if case.advice.verdict.code not in FITS | {"tiers"} or case.query.trainer:
        return None
    pick, second, _ = choose(case)
    second = WITH_AN_INTERFACE if second == "axolotl" else second
    facts = {"windows": (case.query.os or "").startswith("windows"), "home": "stays_home" in case.symptoms}
    return warn(pick=pick, second=second, floor=FLOOR, **facts)
