"""What is offloaded wants more system RAM than machines with such cards usually have.

Source: estimator (host RAM); facts/instances, facts/machines.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.rules.split_70b_wants_ram import check as planned
from advisor.stacks import GIB

NEEDS = {"fsdp_offload": "host_ram", "offload": "ram"}
"""Verdicts about offloaded runs → their fact of the RAM that these take; fits_check says it in its first line."""
ON = ("offload", "several", "method")


def check(case: Case) -> Finding | None:
    """Name the usual RAM where the run takes more and nobody says how much there is."""
    verdict = case.advice.verdict if case.advice else None
    if verdict is None or verdict.code not in NEEDS or case.symptoms or case.query.offload == "nvme":
        return None
    needed = verdict.facts[NEEDS[verdict.code]] * verdict.facts.get("machines", 1)
    if not case.is_more_than_usual(needed) or planned(case) is not None:
        return None
    machines = verdict.facts.get("machines", 1)
    return warn(ram=needed // machines, usual_gb=(case.usual_ram or 0) / GIB / machines)
