"""More processes than there are cards: they share one, each with a copy of its own.

Source: facts/instances; torchrun and accelerate start what they are told to, a process for each card is the rule
(https://pytorch.org/docs/stable/elastic/run.html, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

SAID = 2

ON = ("gpus",)


def check(case: Case) -> Finding | None:
    """More processes than cards, and the machine of that provider that has as many."""
    said = case.query.named.get("processes", ())
    if len(said) != SAID:
        return None
    processes, here = int(said[0]), case.catalog.instances.get(said[1])
    alike = [i for i in case.catalog.instances.values() if here and (i.provider, i.gpu) == (here.provider, here.gpu)]
    larger = min((i for i in alike if i.count >= processes), key=lambda i: (i.count, i.ram_gb or 0.0), default=None)
    return stop(
        machine=here.id if here else None,
        numbered=bool(here and here.id.partition(".")[2][:1].isdigit()),
        cards=here.count if here else 1,
        card=case.where.get("card"),
        processes=processes,
        recipe=case.query.trainer == "torchtune" and case.full and bool(here and here.count == 1),
        larger=larger.id if larger else None,
        of_larger=larger.count if larger else None,
    )
