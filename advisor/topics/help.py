"""What can be asked, with examples to tap."""

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import short_name


def answer(case: Case) -> Advice:
    """The help; `unknown` when a name in the question is not in the catalog."""
    query = case.query
    facts = {
        "unknown": dict(query.unknown),
        "nearest": {slot: [_name(case, near) for near in names] for slot, names in query.nearest.items()},
    }
    return Advice(
        kind=Kind.HELP,
        query=query,
        verdict=Verdict(code="unknown" if query.unknown else "help", facts=facts),
        offers=("params_b=8", "params_b=14", "kind=which_gpu"),
    )


def _name(case: Case, near: str) -> str:
    near = near.removeprefix("relative:")
    gpu = case.catalog.gpus.get(near)
    return short_name(gpu) if gpu is not None else near
