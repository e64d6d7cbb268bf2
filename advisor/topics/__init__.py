"""Topics: one file per kind of question, found by its name. `answer(case)` gives the Advice without its findings."""

from collections.abc import Callable, Mapping
from importlib import import_module

from advisor.advice import Advice
from advisor.case import Case
from advisor.query import Kind

TOPICS: Mapping[Kind, Callable[[Case], Advice]] = {
    kind: import_module(f"{__name__}.{kind.value}").answer for kind in Kind
}


def answer(case: Case) -> Advice:
    """What the topic of the question's kind says."""
    return TOPICS[case.query.kind](case)
