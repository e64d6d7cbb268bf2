"""Split or copied, each card has a batch of its own: uneven memory comes from uneven lengths, not from the launcher.

Source: ZeRO, arXiv:1910.02054, sec. 6 (activations stay with their data); Ring Attention, arXiv:2310.01889.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.topics.oom_help.cause import PREFERENCE

APART = frozenset({"ddp", "zero1", "zero2", "zero3", "fsdp", "fsdp2"})
LAUNCHED = frozenset({"deepspeed", "axolotl", "llama-factory", "ms-swift", "torchtune"})
"""Trainers that start a process for each card."""
WHETHER = frozenset({Kind.CONTEXT_LENGTH, Kind.FITS_CHECK})
"""Answers to the question whether it fits."""

ON = ("uneven",)


def check(case: Case) -> Finding | None:
    """Split or copied, each card has a batch of its own: uneven memory comes from uneven lengths."""
    if "uneven" not in case.symptoms or case.n_cards < 2:
        return None
    if case.query.sharding not in APART and case.query.trainer not in LAUNCHED:
        return None
    whether = case.advice is not None and case.advice.kind in WHETHER and case.sized
    speak = warn if whether or "dpo_is_double" in case.claims else stop  # that is the question, and this a remark on it
    return speak(count=case.n_cards, pairs=case.query.algorithm in PREFERENCE)
