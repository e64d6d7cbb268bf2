"""All experts of a mixture-of-experts model are loaded; the active ones set speed, not memory.

Source: every loader reads all expert weights; a routed token may go to any of them.
"""

from advisor.advice import Finding, correct, stop, warn
from advisor.case import Case

ON = ("experts",)


def check(case: Case) -> Finding | None:
    """All experts of a mixture-of-experts model are loaded; the active ones set speed, not memory."""
    model = case.model
    if model is None or model.params_active is None or case.symptoms & {"slow", "no_gain"}:
        return None
    if "counts_active" in case.symptoms:
        return stop(params=model.params_total, active=model.params_active, believed=True)
    facts = {"params": model.params_total, "active": model.params_active, "believed": False}
    return correct(**facts) if "active_params_only" in case.claims else warn(**facts)
