"""What is offloaded wants more system RAM than machines with such cards usually have.

Source: estimator (host RAM); facts/instances, facts/machines.
"""

from advisor.advice import Advice, Finding, warn
from advisor.case import Case
from advisor.rules.split_70b_wants_ram import check as planned
from advisor.stacks import GIB

NEEDS = {"fsdp_offload": "host_ram", "offload": "ram"}
"""Verdicts about offloaded runs → their fact of the RAM that these take; fits_check says it in its first line."""
ON = ("offload", "several", "method")


def check(case: Case) -> Finding | None:
    """Name the usual RAM where the run takes more and nobody says how much there is."""
    if case.advice is None or case.query.ram_gb or case.query.offload == "nvme":
        return None
    needed, machines = _needed(case, case.advice), case.advice.verdict.facts.get("machines", 1)
    if not needed or not case.is_more_than_usual(needed * machines) or planned(case) is not None:
        return None
    return warn(ram=needed, usual_gb=(case.usual_ram or 0) / GIB / machines)


def _needed(case: Case, advice: Advice) -> int:
    """RAM per machine of an offloaded run that the answer speaks of; 0 where it speaks of none."""
    offered = max((change.ram or 0 for change in advice.changes), default=0)
    fact = NEEDS.get(advice.verdict.code)
    return int(advice.verdict.facts[fact]) if fact and not case.symptoms else offered
