"""At least as much system RAM as VRAM (S52, S66).

Source: S66.
"""

from advisor.advice import Finding, note, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.topics.system_ram import AT_HOME_GB, plan_gb


def check(case: Case) -> Finding | None:
    """At least as much system RAM as VRAM (S52, S66)."""
    vram_gb = sum(card.count * card.vram_gb for card in case.cards)
    if case.query.kind is Kind.SYSTEM_RAM or case.symptoms or case.apple or not case.sized:
        return None
    if case.query.ram_gb is not None:
        return (
            warn(plan_gb=plan_gb(case.lean.host_ram, vram_gb), ram_gb=case.query.ram_gb)
            if case.query.ram_gb < 0.9 * vram_gb
            else None
        )
    if case.query.kind not in (Kind.WHICH_GPU, Kind.FITS_CHECK) or case.query.offload:
        return None
    facts = case.advice.verdict.facts if case.advice else {}
    vram_gb = facts.get("comfortable_gb", vram_gb)
    if vram_gb is None or vram_gb > AT_HOME_GB or (case.advice and case.advice.verdict.code in ("several", "no")):
        return None
    return note(plan_gb=plan_gb(case.lean.host_ram, vram_gb), ram_gb=None)
