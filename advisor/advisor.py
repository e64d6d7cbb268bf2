"""Query + catalog → Advice: the topic of the kind answers, then every rule may speak; of what is to the point, the
three gravest findings stay.
"""

from advisor import choosing, rules, topics
from advisor.advice import GRAVITIES, Advice, Finding
from advisor.case import Case
from advisor.depth import deepen
from advisor.members import with_member
from advisor.query import Kind, Query
from advisor.rules import bf16_anywhere, impossible_card, power_and_heat
from knowledge.catalog import Catalog

MOST_FINDINGS = 3
LAST = frozenset({"plan_system_ram"})
"""Remarks that give way to others."""
ASKED = frozenset({"also_asked", "which_stage"})
"""What the message asks beside its first need: it goes before remarks, however many there are."""
SHORT = frozenset({Kind.INFERENCE_ONLY, Kind.OFF_TOPIC, Kind.HELP})
"""Kinds that get a pointer, no advice."""
BESIDE_A_POINTER = (
    (Kind.INFERENCE_ONLY, "bf16_anywhere", bf16_anywhere.check),
    (Kind.INFERENCE_ONLY, "impossible_card", impossible_card.check),
    (Kind.OFF_TOPIC, "power_and_heat", power_and_heat.asked),
)
"""What speaks beside such a pointer: kind, code, check."""


def advise(query: Query, catalog: Catalog, show: str | None = None) -> Advice:
    """Advice on a query. Pure: the same query and catalog give the same advice.

    `show` (why, fit, prices) adds what that button's depth needs. Raises advisor.errors.AdvisorError where a stated
    value is impossible.
    """
    case = with_member(Case(query, catalog))
    advice = deepen(case, topics.answer(case), show)
    found = findings(case, advice)
    if choosing.decided(found, advice):
        verdict = advice.verdict.model_copy(update={"facts": {**advice.verdict.facts, "decided": True}})
        advice = advice.model_copy(update={"verdict": verdict, "rungs": (), "asks": None})
    return advice.model_copy(update={"findings": found, "offers": offers(case, advice)})


def offers(case: Case, advice: Advice) -> tuple[str, ...]:
    """The offers that would change something."""
    now = {
        f"method={case.method}",
        f"n_gpus={case.n_cards}",
        f"trainer={case.query.trainer}",
        f"offload={case.query.offload or 'none'}",
    }
    if case.query.seq_len or case.sized:
        now.add(f"seq_len={case.seq_len}")
    if case.sized:
        now.add(f"micro_batch={case.micro_batch}")
    return tuple(offer for offer in advice.offers if offer not in now)


def findings(case: Case, advice: Advice) -> tuple[Finding, ...]:
    """The findings to show: the gravest first, at most three; equals keep the order of the rules."""
    case.advice = advice
    if advice.kind in SHORT:
        beside = ((code, check(case)) for kind, code, check in BESIDE_A_POINTER if kind is advice.kind)
        return tuple(spoken.model_copy(update={"code": code}) for code, spoken in beside if spoken)
    cheap, costly = rules.awake(case.signs)
    found = [f.model_copy(update={"code": code}) for code, check in cheap if (f := check(case)) is not None]
    found = choosing.to_the_point(found, advice)
    said = len(found)
    grave = len([f for f in found if f.gravity != "note"])
    for code, check in costly:
        if (code in ASKED or grave < MOST_FINDINGS) and (late := check(case)) is not None:
            found.append(late.model_copy(update={"code": code}))
            grave += late.gravity != "note"
    if len(found) > said:
        found = choosing.to_the_point(found, advice)
    found.sort(key=_rank)
    return tuple(found[:MOST_FINDINGS])


def _rank(found: Finding) -> tuple[int, bool]:
    gravity = "correct" if found.code in ASKED else found.gravity
    return GRAVITIES[gravity], gravity == "note" and found.code in LAST
