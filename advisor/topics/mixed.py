"""A message with two needs: the memory side answers, and what the second need adds is left to the findings and one
line.

Facts: those of the topic that answers, plus `also` (the second kind).
"""

from advisor.advice import Advice
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.topics import fits_check, oom_help


def answer(case: Case) -> Advice:
    """Advice from the topic that the slots carry furthest."""
    return oom_help.answer(case) if case.symptoms & FAILURES else fits_check.answer(case)
