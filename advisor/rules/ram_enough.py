"""Whether the system RAM that is named beside the cards is enough, where the question is about both.

Source: estimator; S66.
"""

from advisor.advice import Finding, note
from advisor.case import Case
from advisor.query import Kind
from advisor.rules.plan_system_ram import check as short
from advisor.rules.ram_is_no_vram import check as no_card
from advisor.stacks import GIB

ON = ("ram_gb",)


def check(case: Case) -> Finding | None:
    """Whether the named RAM is enough; where it is not, the plan is told elsewhere."""
    query = case.query
    if query.ram_gb is None or query.also is not Kind.SYSTEM_RAM or query.kind is Kind.SYSTEM_RAM or not case.sized:
        return None
    if no_card(case) is not None:
        return None  # it says so itself
    if case.apple or case.symptoms or short(case) is not None or query.ram_gb * GIB < case.lean.host_ram:
        return None
    return note(ram_gb=query.ram_gb, need=case.lean.host_ram)
