"""Merging an adapter into 16-bit weights takes 2 bytes per parameter of RAM, more than training did.

Source: PEFT merge_and_unload on a 16-bit base.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

ON = ("ram_gb", "merge_wants_ram")
BYTES = 2.2
"""Bytes of RAM per parameter: the weights in 16 bit, and a layer beside them."""


def check(case: Case) -> Finding | None:
    """Merging an adapter into 16-bit weights takes 2 bytes per parameter of RAM, more than training did."""
    ram_gb, params = case.query.ram_gb, case.params
    told = case.query.kind is Kind.SYSTEM_RAM or (case.advice and case.advice.kind is Kind.SYSTEM_RAM)
    if params is None or case.full or told:
        return None
    short = ram_gb is not None and ram_gb * 1e9 < BYTES * params
    if not short and not (case.sized and "merge_wants_ram" in case.claims):
        return None
    return warn(ram_gb=ram_gb, short=short, merge=int(BYTES * params))
