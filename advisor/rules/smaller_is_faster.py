"""Of two models on one card the smaller is the faster one: every token passes all weights.

Source: estimator (speed: 6 operations per weight and token, less what adapters leave out).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("asks_faster_model",)
LEAST = 1.2
"""Times the other's weights from which on one is the larger."""


def check(case: Case) -> Finding | None:
    """Say which of the named ones is faster, and how many times as many weights the other has."""
    if "asks_faster_model" not in case.symptoms or not case.sized or case.model is None:
        return None
    catalog = case.catalog
    named = {case.model.id, *case.query.models}
    found = [model for name in named if (model := catalog.models.get(name) or catalog.by_sibling.get(name.lower()))]
    sizes = sorted((model.params_active or model.params_total, model.id.split("/")[-1]) for model in found)
    if not sizes[1:] or sizes[-1][0] < LEAST * sizes[0][0]:
        return None
    return stop(smaller=sizes[0][1], larger=sizes[-1][1], times=sizes[-1][0] / sizes[0][0])
