"""How much system RAM, where that is asked beside another need and the card is named; of RAM that is there ram_enough.

Source: topics.system_ram.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.topics import system_ram
from advisor.verdicts import FAILS

ON = ("also",)
COSTLY = True
BESIDE = frozenset({Kind.FITS_CHECK, Kind.MULTI_GPU, Kind.CONTEXT_LENGTH, Kind.METHOD_CHOICE, Kind.TRAINER_CHOICE})


def check(case: Case) -> Finding | None:
    """How much system RAM, where that is asked beside another need and the card is named."""
    query = case.query
    if query.also is not Kind.SYSTEM_RAM or query.kind not in BESIDE or query.ram_gb or not (case.sized and case.cards):
        return None
    if case.advice is not None and (case.advice.kind is Kind.SYSTEM_RAM or case.advice.verdict.code in FAILS):
        return None
    told = system_ram.answer(case).verdict.facts
    if not told.get("plan_gb"):
        return None
    facts = {name: told[name] for name in ("plan_gb", "load_16", "ranks", "load_all")}
    if facts["ranks"] > 1:  # several processes, of which one at least holds a copy while it loads
        facts["plan_gb"] = max(facts["plan_gb"], system_ram.plan_gb(facts["load_16"], 0))
    return warn(**facts)
