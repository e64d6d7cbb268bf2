"""Merging an adapter into 16-bit weights takes 2 bytes per parameter of RAM, more than training did.

Source: PEFT merge_and_unload on a 16-bit base.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

ON = ("ram_gb",)


def check(case: Case) -> Finding | None:
    """Merging an adapter into 16-bit weights takes 2 bytes per parameter of RAM, more than training did."""
    ram_gb, params = case.query.ram_gb, case.params
    if (
        ram_gb is None
        or params is None
        or case.full
        or case.query.kind is Kind.SYSTEM_RAM
        or ram_gb * 1e9 >= 2.2 * params
    ):
        return None
    return warn(ram_gb=ram_gb, merge=int(2.2 * params))
