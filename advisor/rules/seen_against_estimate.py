"""The asker saw it run out of memory where the estimate says that it fits: what was seen counts.

Source: measured beats estimated; QUESTIONS: unfused loss, checkpointing off, longer batches, other processes.
"""

from advisor.advice import Finding, correct, warn
from advisor.case import Case
from advisor.stacks import GOOD
from advisor.verdicts import FITS

SEEN = frozenset({"oom_step", "oom_later", "oom_load", "growing"})
ON = SEEN


def check(case: Case) -> Finding | None:
    """Say what usually differs when a run fails that should fit."""
    if case.advice is None or case.advice.verdict.code not in FITS | {"asked_failed"} or not case.symptoms & SEEN:
        return None
    if case.usable is not None and any(need.fit not in GOOD for need in case.needs()):
        return None  # the estimate agrees that it fails, with one trainer at least
    facts = case.advice.verdict.facts
    if facts.get("unfused") or (facts.get("next") and facts["ran"]):
        return None  # a shorter one ran, or the loss is not fused: the answer goes on from that
    if "smaller_model_less_memory" in case.claims:
        return None  # what fails is another model, and the reason is told
    granted = case.advice.verdict.code == "asked_failed" and not case.advice.verdict.facts.get("next")
    told = case.advice.verdict.facts.get("next") is not None  # the stated length may be the last that ran
    speak, fused = (warn if told else correct), case.stacks[0].trainer == "unsloth" and not case.query.fused_loss
    length, unchecked = case.query.seq_len is None, case.query.grad_checkpointing in (None, False, "none")
    return speak(told=told, granted=granted, fused=fused, length=length, tokens=case.seq_len, unchecked=unchecked)
