"""What is told of a run in so many words, and the page that answers it, whatever model or card is named beside it."""

from advisor.asked import FAILURES
from advisor.query import Query
from advisor.stacks import FULL_METHODS
from bot.parser.passing import ADAPTER, OF_PAGES, PAGES

DORA = frozenset({"dora", "qdora"})
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
