"""Whether the number of examples is enough, where that is one of several questions.

Source: S53 (about 1,000 curated examples); facts/style: fine-tuning teaches form, retrieval brings facts (QUESTIONS).
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.topics.data_size_quality import FLOOR, worth

ON = ("asks_enough_data",)
SAYS_IT = frozenset({Kind.DATA_SIZE_QUALITY, Kind.FAQ_DEFINITION})
"""Topics that say it themselves."""


def check(case: Case) -> Finding | None:
    """What so many examples are good for; not where the second need is the data and says so."""
    query = case.query
    if query.dataset_examples is None or "asks_enough_data" not in case.symptoms:
        return None
    if query.also is Kind.DATA_SIZE_QUALITY or (case.advice is not None and case.advice.kind in SAYS_IT):
        return None
    return warn(code=worth(case), examples=query.dataset_examples, floor=FLOOR)
