"""What is told of a run in so many words, and the page that answers it, whatever model or card is named beside it."""

from collections.abc import Set
from itertools import chain

from advisor.asked import FAILURES
from advisor.query import Query

PAGES = (
    (frozenset({"cut_off", "fears_loss"}), "interrupted"),
    (frozenset({"resumed", "loss_rises"}), "resume-loss"),
    (frozenset({"on_quantised", "merges_or_serves"}), "merge-quantised"),
    (frozenset({"disk_ran_out", "saves_merged"}), "merge-no-space"),
    (frozenset({"dora_slow"}), "dora-speed"),
    (frozenset({"raw_text", "asks_text_form"}), "raw-text"),
    (frozenset({"worse_than_base"}), "worse-than-before"),
)
"""Symptoms that together ask for a page, the surest first."""
_OF_PAGES = frozenset(chain.from_iterable(told for told, _ in PAGES))
EVEN_FAILED = frozenset({"resume-loss", "merge-no-space", "dora-speed", "merge-quantised"})
"""Pages that no word for a failure turns into a question of memory: "abort", "the merge fails"."""


def page_told(symptoms: Set[str]) -> str | None:
    """The page that the symptoms of a message ask for together, None where memory ran out instead."""
    failed = not symptoms.isdisjoint(FAILURES)
    return next((page for told, page in PAGES if told <= symptoms and not (failed and page not in EVEN_FAILED)), None)


def without_told(query: Query) -> Query:
    """The query without what only pages answer: it names no rule's case, and who goes on is not told the page again."""
    if _OF_PAGES.isdisjoint(query.symptoms):
        return query
    return query.model_copy(update={"symptoms": tuple(code for code in query.symptoms if code not in _OF_PAGES)})
