"""Windows, and the question whether WSL is needed: of the named trainer its own word.

Source: facts/trainers: windows; faq/windows.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("asks_wsl",)


def check(case: Case) -> Finding | None:
    """Whether the named trainer runs without WSL."""
    query = case.query
    if "asks_wsl" not in case.symptoms or not query.trainer or (query.os or "windows").startswith("linux"):
        return None
    trainer = case.catalog.trainers.get(query.trainer)
    if trainer is None or not trainer.windows:
        return None
    told = trainer.windows.split()[0].strip("':;,")
    if told not in ("yes", "no", "partly"):
        return None
    need = case.lean if case.sized and case.usable is not None else None
    fits: dict[str, object] = {"need": None}
    if need:
        fits = {"need": need.device, "usable": case.usable, "fit": need.fit, "model": case.model_name}
    return stop(trainer=query.trainer, runs=told, several=case.n_cards > 1, method=case.method, **fits)
