"""Which cause a failed run most likely has: the symptom first, the numbers second."""

from advisor.advice import Need
from advisor.asked import FAILURES, ROLLOUTS
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.rollouts import is_beside
from advisor.stacks import FOUR_BIT, GOOD
from advisor.topics.hidden import ANY_LENGTH

BY_SYMPTOM = (
    ("disk_full", "disk"),
    ("slow_spill", "spill"),
    ("loads_adapter", "adapter"),
    ("oom_load", "load"),
    ("oom_eval", "eval"),
    ("oom_save", "save"),
    ("oom_merge", "save"),
    ("oom_generate", "generate"),
)
HUGE_GIB = 16.0
"""No fused kernel asks for as much at once."""
SMALL_SHARE = 0.4
CLOSE = 0.88
"""Share of the card above which the longest batch or fragmentation is cause enough."""
FULL, OVER = 0.955, 1.03
"""Shares of the card between which a reading is the whole card: what is left is too little to be an answer, and GB
are no GiB.
"""
NEAR, MOST = 0.4, 2.2
"""Shares of a typical difference by which it is known."""
CHANGED = frozenset({"precision_off", "trains_embeddings"})
"""What a writer says to have changed before it died: a rule speaks of each."""
PREFERENCE = frozenset({"dpo", "orpo", "kto", "simpo", "cpo", "reward"})


def cause(case: Case, shown: Need | None) -> str:
    """The most likely cause; `shown` is the need at which it failed, None where no model is named."""
    return _by_symptom(case) or _by_numbers(case, shown)


def _by_symptom(case: Case) -> str | None:
    symptoms = case.symptoms
    stages = symptoms & {"oom_load", "oom_eval", "oom_save"}
    if "shared_memory_counts" in case.claims and not stages and "slow" not in symptoms:
        return "shared"
    if "slow" in symptoms and (case.query.os or "").startswith("windows") and not stages:
        return "spill"  # where the driver falls back to system RAM, it crawls and does not stop
    if "oom_load" in symptoms and case.model is not None and case.model.moe and case.method in FOUR_BIT:
        return "moe_load"
    if "oom_second" in symptoms and case.full and not stages:
        return "states"  # whatever else takes its share: the first step went through without them
    for symptom, code in BY_SYMPTOM:
        if code == "load" and (symptoms & {"oom_later", "oom_second", *CHANGED} or _all_on_one(case)):
            continue
        if (code == "adapter" and not symptoms & FAILURES) or (code == "load" and is_beside(case)):
            continue  # what vLLM reserves is told by vllm_takes_its_share
        if symptom in symptoms:
            return code
    return "states" if "oom_second" in symptoms and states_grow(case) else None


def _all_on_one(case: Case) -> bool:
    """What was to be split fills one card, in 4 bit: a rule says why (four_bit_under_fsdp)."""
    return "one_card_used" in case.symptoms and case.query.sharding in SHARDED and case.method in FOUR_BIT


def _by_numbers(case: Case, shown: Need | None) -> str:
    if shown is not None and took_less(case, shown):
        return "less"
    if shown is not None and shown.fit in ("no", "unlikely"):
        return "too_big"
    if case.query.algorithm in ROLLOUTS:
        return "generate"
    if case.query.algorithm in PREFERENCE:
        return "preference"
    if case.symptoms & {"oom_later", "growing"} or blames_leak(case):
        return "later"
    if "fragmented" in case.symptoms and "segments_on" not in case.symptoms:
        return "fragmented"
    if shown is None:
        return _unsized(case)
    if shown.fit is None:
        return "needs" if failed(case) else _running(case, shown)
    if method_decides(case):
        return "method"
    if not failed(case):
        return _running(case, shown)
    if _weights_seen(case, shown):
        return "too_much"  # it died of the weights' format, which a rule names (seen_tells)
    if case.usable and shown.device > CLOSE * case.usable:
        return "close"
    return "should_fit" if case.query.seq_len is not None or reaches(case) else "length"


def _running(case: Case, shown: Need) -> str:
    """Nothing died: whether what was seen is more than the weights' format should take."""
    held = "smi_is_need" in case.claims  # what PyTorch keeps says nothing of the weights
    return "too_much" if wider_weights(case, case.seen - shown.device) and not held else "normal"


def _unsized(case: Case) -> str:
    """Without a model: a traceback's figures, a calculator's word, no word of memory at all, or the common causes."""
    if case.query.capacity_gib and case.query.tried_allocate_gib:
        return "traceback"
    if case.symptoms & FAILURES or case.query.tried_allocate_gib:
        return "unsized"
    if "table_covers_me" in case.claims or case.query.seen_gib or case.query.claimed_gib:
        return "calculated"
    return "unsized" if case.symptoms or case.claims or case.query.named else "no_error"


def _weights_seen(case: Case, shown: Need) -> bool:
    """What was seen of this very run points to the format of its weights."""
    told = case.seen and not case.query.models and not full_card(case)
    return bool(told and wider_weights(case, case.seen - shown.device))


def blames_leak(case: Case) -> bool:
    """A run died, and a leak is suspected: then it did not die at once."""
    return "leak_after_steps" in case.claims and failed(case)


def huge_block(case: Case) -> bool:
    """One block that no fused kernel asks for: the software is at fault, not the size of the run."""
    return (case.query.tried_allocate_gib or 0.0) >= HUGE_GIB


def ran_before(case: Case) -> bool:
    """The same run worked, or what was changed is named: neither its size nor its method is the reason."""
    return bool(case.symptoms & {"after_update", *CHANGED}) or huge_block(case)


def states_grow(case: Case) -> bool:
    """All weights are trained, or nobody said how: Adam makes its states in the first step."""
    return case.full or (case.query.method is None and case.query.weight_bits is None)


def reaches(case: Case) -> bool:
    """The card holds all that the model was made for, or more than examples usually have."""
    return case.need(case.stacks[-1], seq_len=min(ANY_LENGTH, case.max_context)).fit in GOOD


def failed(case: Case) -> bool:
    """Whether a run died; where only its memory is told, or whether that is normal is asked, it ran."""
    query = case.query
    told = bool(case.symptoms & {"asks_normal", "asks_parts"} or case.claims & {"table_covers_me", "smi_is_need"})
    ran = told or (query.seen_gib is not None and not full_card(case))
    return bool(case.symptoms & FAILURES) or query.tried_allocate_gib is not None or not ran


def took_less(case: Case, shown: Need) -> bool:
    """It ran, and what was seen is below what we count for such steps: what was seen is right."""
    held = case.usable is not None and case.seen <= OVER * case.usable
    ran = held and not case.symptoms & (FAILURES | {"slow", "slow_spill"}) and not case.query.tried_allocate_gib
    return bool(case.seen) and ran and case.seen < shown.low and shown.fit in ("no", "unlikely")


def full_card(case: Case) -> bool:
    """What was seen is the whole card: where a run died that is where it stopped, not what it takes."""
    return case.usable is not None and FULL * case.usable < case.seen < OVER * case.usable


def wider_weights(case: Case, more: int) -> str | None:
    """What so many bytes above the estimate point to: weights in fp32, or not quantised; None where to neither.

    Source: 2 bytes a parameter more is fp32 instead of bf16; bitsandbytes' 4-bit saves 1.5.
    """
    four_bit = case.method in FOUR_BIT
    gap = (1.5 if four_bit else 2.0) * (case.params or 0)
    return ("sixteen" if four_bit else "fp32") if (1 - NEAR) * gap < more < MOST * gap else None


def method_decides(case: Case) -> bool:
    """Nobody said how it is trained, and what we assume can take so little of the card that it can hardly be that."""
    adapters = case.query.trainer == "unsloth"  # which is taken for them
    unsaid = case.method_unsaid and case.usable is not None and not adapters
    return unsaid and case.lean.device < SMALL_SHARE * (case.usable or 0)
