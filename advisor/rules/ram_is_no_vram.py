"""RAM is named and no card: what decides is the card's memory.

Source: S52; estimator.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GIB

ON = ("ram_gb",)


def check(case: Case) -> Finding | None:
    """RAM is named and no card: what decides is the card's memory."""
    query = case.query
    if query.kind is not Kind.FITS_CHECK or not query.ram_gb or not case.sized or case.apple:
        return None
    if case.cards or query.candidates or query.budget or query.offload or "no_gpu_found" in case.symptoms:
        return None
    return stop(ram_gb=query.ram_gb, enough=query.ram_gb * GIB >= case.lean.host_ram)
