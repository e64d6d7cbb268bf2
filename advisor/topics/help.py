"""What can be asked, with examples to tap."""

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind


def answer(case: Case) -> Advice:
    """The help; `unknown` when a name in the question is not in the catalog."""
    query = case.query
    facts = {"unknown": dict(query.unknown), "nearest": {slot: list(names) for slot, names in query.nearest.items()}}
    return Advice(
        kind=Kind.HELP,
        query=query,
        verdict=Verdict(code="unknown" if query.unknown else "help", facts=facts),
        offers=("params_b=8", "params_b=14", "kind=which_gpu"),
    )
