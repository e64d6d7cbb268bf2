"""What is told of a run in so many words, and the page that answers it, whatever model or card is named beside it."""

from itertools import chain

from advisor.asked import FAILURES
from advisor.query import Query
from advisor.stacks import FULL_METHODS

DORA = frozenset({"dora", "qdora"})
ADAPTER = "an adapter is named"
"""What the method tells: who serves an AWQ model without one asks about running it."""
PAGES = (
    (frozenset({"cut_off", "fears_loss"}), "interrupted"),
    (frozenset({"resumed", "loss_rises"}), "resume-loss"),
    (frozenset({"oom_at_resume"}), "resume-oom"),
    (frozenset({"on_quantised", "merges_it"}), "merge-quantised"),
    (frozenset({"on_quantised", "merges_or_serves", ADAPTER}), "merge-quantised"),
    (frozenset({"disk_ran_out", "saves_merged"}), "merge-no-space"),
    (frozenset({"dora_slow"}), "dora-speed"),
    (frozenset({"raw_text", "asks_text_form"}), "raw-text"),
    (frozenset({"worse_than_base"}), "worse-than-before"),
    (frozenset({"never_stops"}), "never-stops"),
    (frozenset({"limits_power", "fears_slowness"}), "undervolting"),
    (frozenset({"adapter_large"}), "adapter-size"),
    (frozenset({"asks_rope_factor"}), "rope-factor"),
    (frozenset({"asks_alpha"}), "alpha-choice"),
)
"""Symptoms that together ask for a page, the surest first."""
OF_PAGES = frozenset(chain.from_iterable(told for told, _ in PAGES))
"""What only pages answer: each alone is a word in passing, and no trouble."""
IN_PASSING = OF_PAGES | {"asks_layers_over", "asks_stages"}
"""The same with what asks about splitting: none of it makes a message one of ours."""
FAILED = FAILURES - {"killed"}
"""What says that memory ran out; an update kills as well."""
EVEN_FAILED = frozenset({"resume-loss", "resume-oom", "merge-no-space", "dora-speed", "merge-quantised"})
"""Pages that no word for a failure turns into a question of memory: "abort", "the merge fails"."""


def page_told(query: Query) -> str | None:
    """The page that the symptoms of a message ask for together, None where memory ran out instead."""
    signs = {*query.symptoms, *((ADAPTER,) if query.method and query.method not in FULL_METHODS else ())}
    if len(query.named.get("seen_s_per_step", ())) > 1 and query.method in DORA:
        signs.add("dora_slow")  # two times of a step are told
    failed = not signs.isdisjoint(FAILED)
    return next((page for told, page in PAGES if told <= signs and not (failed and page not in EVEN_FAILED)), None)


def without_told(query: Query) -> Query:
    """The query without what only pages answer: it names no rule's case, and who goes on is not told the page again."""
    if OF_PAGES.isdisjoint(query.symptoms):
        return query
    return query.model_copy(update={"symptoms": tuple(code for code in query.symptoms if code not in OF_PAGES)})
