"""At least as much system RAM as VRAM (S52, S66).

Source: S66.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.case import Case
from advisor.machine import loads_beyond_ram
from advisor.query import Kind
from advisor.stacks import GIB
from advisor.topics.system_ram import AT_HOME_GB, plan_gb

LITTLE = 0.75
"""Share of the VRAM below which RAM is worth a word; Colab's 12.7 GB beside 16 GB are lived with."""


def check(case: Case) -> Finding | None:
    """At least as much system RAM as VRAM (S52, S66)."""
    vram_gb = sum(card.count * card.vram_gb for card in case.cards)
    loads = loads_beyond_ram(case)
    if loads is not None and case.query.kind is not Kind.SYSTEM_RAM:
        return stop(plan_gb=plan_gb(loads, vram_gb), ram_gb=case.query.ram_gb, offloaded=loads, loading=True)
    if case.query.kind is Kind.SYSTEM_RAM or case.symptoms or not case.sized:
        return None
    if case.one_memory:
        return None
    ram_gb = case.query.ram_gb
    if ram_gb is not None:
        offloaded = case.lean.host_ram if case.query.offload not in (None, "none") else 0
        short = ram_gb < LITTLE * vram_gb or ram_gb * GIB < offloaded
        facts = {
            "plan_gb": plan_gb(case.lean.host_ram, vram_gb),
            "ram_gb": ram_gb,
            "offloaded": offloaded,
            "loading": False,
        }
        if not short:
            return None
        asked = case.query.also is Kind.SYSTEM_RAM
        return stop(**facts) if ram_gb * GIB < offloaded or asked else warn(**facts)
    if case.query.kind not in (Kind.WHICH_GPU, Kind.FITS_CHECK) or case.query.offload:
        return None
    if case.cards:
        return None  # who has the card has a machine around it
    given = case.advice.verdict.facts if case.advice else {}
    planned_gb = given.get("comfortable_gb")
    if planned_gb is None or planned_gb > AT_HOME_GB or (case.advice and case.advice.verdict.code in ("several", "no")):
        return None
    return note(plan_gb=plan_gb(case.lean.host_ram, planned_gb), ram_gb=None, offloaded=0, loading=False)
