"""Few examples that a file's size tells to be long: memory follows their length, not their number.

Source: OpenAI, "What are tokens and how to count them?": about four characters of English a token; data collators pad
to the longest example of a batch (Hugging Face transformers).
"""

from advisor.advice import Finding, note, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind

ON = ("tokens_per_example",)
LONG = 2_000
"""Tokens from which on an example is called long: the length that trainers cut at, or more."""
ABOUT_LENGTH = frozenset({Kind.OOM_HELP, Kind.FITS_CHECK, Kind.CONTEXT_LENGTH})


def check(case: Case) -> Finding | None:
    """Tell the length that follows from the size of the data."""
    query = case.query
    each, rows = query.tokens_per_example or 0, query.dataset_examples
    if query.sources.get("tokens_per_example") != "assumed" or not rows or each < LONG:
        return None
    if query.kind not in ABOUT_LENGTH:
        return None
    failed = bool(case.symptoms & FAILURES)
    return (stop if failed else note)(rows=rows, each=each, failed=failed, mlx=case.vendor == "apple")
