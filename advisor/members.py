"""A family of models named without a size: the largest of its members that the asker's card holds."""

from advisor.asked import FAILURES
from advisor.case import Case
from advisor.errors import AdvisorError
from advisor.query import Kind, Query
from advisor.stacks import BILLION, GOOD
from knowledge.schemas import Model

WHICH = "which_member"
"""What a query says under `named` where it is asked which member of the family to take, or one was taken here."""
KINDS = frozenset({Kind.FITS_CHECK, Kind.MULTI_GPU})
SAME = 0.1
"""Billions of parameters by which two releases of one size differ at most."""


def family_of(case: Case) -> list[Model]:
    """The sizes of the model's family, the smallest first; of a size that there are several of, the one in question or
    the last.
    """
    model = case.model
    if model is None:
        return []
    kin = sorted((m for m in case.catalog.models.values() if m.family == model.family), key=lambda m: m.params_total)
    sizes: list[Model] = []
    for member in kin:
        if sizes and member.params_total - sizes[-1].params_total <= SAME * BILLION:
            if sizes[-1].id != model.id:
                sizes[-1] = member
        else:
            sizes.append(member)
    return sizes


def is_about_fit(case: Case) -> bool:
    """Whether the question is one that a member's need answers; where a card is looked for, only if it is which one."""
    kind = case.query.kind
    return kind in KINDS or (kind is Kind.WHICH_GPU and WHICH in case.query.named)


def with_member(case: Case) -> Case:
    """The question about the largest dense member that fits, where only the family is named and it is asked which one,
    or the usual one does not fit; about the smallest where none does.
    """
    query, sources = case.query, case.query.sources
    unsaid = sources.get("params_b") == "assumed" and sources.get("model") == "stated"
    if not unsaid or not is_about_fit(case) or query.models or query.arch or case.symptoms & FAILURES:
        return case
    if case.model is None or case.usable is None or query.seen_gib or query.ambiguous.get("model"):
        return case
    if WHICH not in query.named and (case.model.moe is not None or case.lean.fit in GOOD):
        return case
    about = [_about(case, member) for member in family_of(case) if member.moe is None][::-1]
    for fits in (GOOD, ("unlikely",)):
        if (chosen := next((made for made in about if made.lean.fit in fits), None)) is not None:
            return chosen
    return about[-1] if about and WHICH in query.named else case


def _about(case: Case, member: Model) -> Case:
    """The same question about another member."""
    query: Query = case.query
    slots = {"model": member.id, "params_b": round(member.params_total / BILLION, 3)}
    named = {**query.named, WHICH: query.named.get(WHICH, ("taken",))}
    return Case(query.model_copy(update={**slots, "named": named}), case.catalog)


def fits_of(case: Case, member: Model) -> tuple[int, str | None] | None:
    """What a member takes on the leanest stack, and whether that fits; None where it cannot be had so."""
    try:
        need = _about(case, member).lean
    except AdvisorError:
        return None
    return need.device, need.fit
