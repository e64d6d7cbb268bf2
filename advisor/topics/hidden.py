"""What hides in a set-up that should fit, each with what it would take: a larger batch, no checkpointing, longer
examples, trained embeddings, a loss that is not fused, weights in another precision, an evaluation, a copy per card
instead of a split.
"""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.estimator.outside import outside
from advisor.estimator.sharding import SHARDED
from advisor.lengths import LADDER, longest
from advisor.model_names import OLD
from advisor.stacks import AND_EMBEDDINGS, FOUR_BIT, FULL_ADAMW, GOOD, WIDER, Stack

DEFAULT_BATCH = 8
"""`per_device_train_batch_size` of transformers.TrainingArguments, and so of TRL."""
DEFAULTS: dict[str, dict[str, Any]] = {
    "batch": {"micro_batch": DEFAULT_BATCH},
    "checkpointing": {"grad_checkpointing": False},
}
"""Suspects that a trainer sets where nobody does, with the set-up of each."""
ANY_LENGTH = 32_768
"""Tokens beyond which nobody's examples are the cause."""
LONG = 8192
"""Stated tokens from which the longest example is the likeliest cause."""
MULTIPLE = 4
"""Times the stated length from which on the longest that fits is the last suspect."""
MOST_SUSPECTS = 3


def at_default_batch(case: Case) -> dict[str, Any]:
    """Bytes at the batch of Hugging Face's Trainer where nobody stated one and it is not known to fit; with all
    weights trained where nobody said how and adapters would fit.
    """
    facts: dict[str, Any] = {"default_batch": None, "default_full": False}
    if not _batch_may_be_default(case):
        return facts
    need = case.need(case.stacks[-1], micro_batch=DEFAULT_BATCH)
    if need.fit == "yes" and case.method_unsaid:
        every: dict[str, Any] = {"method": "full", "optimizer": "adamw", "autocast": True, "weight_bits": None}
        need = case.need(FULL_ADAMW, micro_batch=DEFAULT_BATCH, **every)
        facts["default_full"] = True
    return facts | {"default_batch": None if need.fit == "yes" else need.device}


def _batch_may_be_default(case: Case) -> bool:
    """Nobody stated a batch, and the trainer may be one with such a default."""
    return not case.query.micro_batch and case.query.trainer in (None, "hf", "trl")


def _may_be_unchecked(case: Case) -> bool:
    """Nobody said that gradient checkpointing is on, and the trainer does not set it: Unsloth does (get_peft_model,
    `use_gradient_checkpointing="unsloth"`).
    """
    return case.query.grad_checkpointing is None and case.query.trainer != "unsloth"


def of_fitting(case: Case, stack: Stack) -> dict[str, Any]:
    """What a set-up that should fit may hide: the length from which it does not, a copy per card instead of a split;
    whether one card alone would do; and the suspects that the numbers leave, the likeliest first.
    """
    top = min(ANY_LENGTH, case.max_context)
    fits = case.need(stack, seq_len=top).fit in GOOD
    limit = _beyond(case, stack, top) if fits else longest(case, stack)
    facts: dict[str, Any] = {"limit": limit, "alone": None, "copied": None} | at_default_batch(case)
    if case.n_cards > 1 and case.sharding in SHARDED:
        alone = case.need(stack, n_gpus=1, sharding="none", offload="none")
        facts["alone"] = alone.device if alone.fit == "yes" else None
        copied = case.need(stack, sharding="ddp", offload="none")
        facts["copied"] = copied.device if case.query.sharding is None and copied.fit not in GOOD else None
    unchecked = case.need(stack, grad_checkpointing=False).device if _may_be_unchecked(case) else None
    return facts | {"suspects": _suspects(case, stack, facts), "unchecked": unchecked}


def _beyond(case: Case, stack: Stack, top: int) -> int | None:
    """The longest that the card holds where examples of all that the model was made for fit, and that is stated: they
    may be longer still, unless the model has no positions for that.
    """
    if case.query.seq_len != top or top >= ANY_LENGTH or (case.model is not None and case.model.arch in OLD):
        return None
    found = longest(case, stack, tuple(length for length in LADDER if top <= length <= ANY_LENGTH))
    return found if found and found < ANY_LENGTH else None


def _suspects(case: Case, stack: Stack, facts: dict[str, Any]) -> list[dict[str, Any]]:
    """[{why, bytes or tokens}]: only what would not fit, so that each explains the failure by itself."""
    need = case.need(stack)
    found = [
        {"why": "copied", "bytes": facts["copied"]},
        {"why": "batch", "bytes": _over(case, facts["default_batch"] or 0)},
        {"why": "checkpointing", "bytes": _unchecked(case, stack)},
        {"why": "eager", "bytes": _eager(case, stack)},
        {"why": "embeddings", "bytes": _embeddings(case, stack)},
        {"why": "length", "bytes": facts["limit"]},
        {"why": "unfused", "bytes": _unfused(case, stack, need)},
        {"why": "precision", "bytes": _wider(case, stack, need)},
        {"why": "evaluation", "bytes": _evaluation(case, stack, need)},
        {"why": "gpu0", "bytes": _all_on_one(case, need)},
    ]
    if (case.query.seq_len or 0) >= LONG:
        found.sort(key=lambda suspect: suspect["why"] not in ("copied", "length", "unfused"))  # "docs often over 8k"
    elif _far_below(case.query.seq_len, facts["limit"]):
        found.sort(key=lambda suspect: suspect["why"] == "length")
    told = [suspect | _shortened(case, stack, suspect["why"]) for suspect in found if suspect["bytes"]]
    if not any(suspect["why"] in DEFAULTS for suspect in told):
        told = [*({"why": "both", "bytes": size} for size in _both(case, stack)), *told]
    return _with_length(told)[:MOST_SUSPECTS]


def _far_below(stated: int | None, limit: int | None) -> bool:
    """A length is stated that no example need exceed, and the card holds a multiple of it: others are likelier."""
    return stated is not None and limit is not None and limit >= MULTIPLE * stated


def _with_length(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The length as a suspect of its own, before the defaults with which only a shorter one fits."""
    short = {suspect["why"]: suspect["tokens"] for suspect in told if suspect["why"] in DEFAULTS and suspect["tokens"]}
    if not short:
        return told
    others = [suspect for suspect in told if suspect["why"] != "length"]
    place = next(place for place, suspect in enumerate(others) if suspect["why"] in DEFAULTS)
    return [*others[:place], {"why": "shorter", "bytes": min(short.values()), "with": list(short)}, *others[place:]]


def _over(case: Case, size: int) -> int | None:
    """The bytes, where they are more than the card has."""
    return size if case.usable is not None and size > case.usable else None


def _unchecked(case: Case, stack: Stack) -> int | None:
    if not _may_be_unchecked(case):
        return None
    return _over(case, case.need(stack, grad_checkpointing=False).device)


def _unfused(case: Case, stack: Stack, need: Need) -> int | None:
    """With all logits of long examples at once, where the figures count on a loss in pieces."""
    if (case.query.seq_len or 0) < LONG or need.components.get("logits") or case.query.fused_loss is False:
        return None
    return _over(case, case.need(stack, fused_loss=False).device)


def _both(case: Case, stack: Stack) -> list[int]:
    """Bytes at the default batch without checkpointing, where nobody stated either and only both together are over."""
    if not (_may_be_unchecked(case) and _batch_may_be_default(case)):
        return []
    size = _over(case, case.need(stack, micro_batch=DEFAULT_BATCH, grad_checkpointing=False).device)
    return [size] if size else []


def _shortened(case: Case, stack: Stack, why: str) -> dict[str, int | None]:
    """The shorter length that the card holds with a default, where nobody stated one nor what it stands for; with all
    logits at once the length that it holds then; of other suspects nothing.
    """
    if why == "unfused":
        return {"tokens": longest(case, stack, fused_loss=False)}
    if why not in DEFAULTS:
        return {}
    slots = DEFAULTS[why]
    if case.query.seq_len is not None or any(getattr(case.query, name) is not None for name in slots):
        return {"tokens": None}
    length = _longest_with(case, stack, **slots)
    return {"tokens": length if length and length < case.seq_len else None}


def _wider(case: Case, stack: Stack, need: Need) -> int | None:
    """With weights in 16 bit where 4 are meant, in fp32 where 16 are; what amp trains in full is in fp32 already."""
    if case.method in FOUR_BIT:
        return _over(case, case.need(stack, method="lora", weight_bits=None, quant=None).device)
    if case.query.compute_dtype == "fp32" or case.query.weight_bits in (16, 32):
        return None
    if case.full and dict(stack.changes).get("autocast", case.query.autocast is not False):
        return None
    return _over(case, need.device + WIDER * (case.params or 0) // (case.n_cards if case.sharding in SHARDED else 1))


def _eager(case: Case, stack: Stack) -> int | None:
    """With the scores of all pairs of tokens in memory, on a card that the usual fused attention does not run on."""
    if case.query.attention or not case.no_bf16:
        return None
    return _over(case, case.need(stack, attention="eager").device)


def _embeddings(case: Case, stack: Stack) -> int | None:
    """With embeddings and head trained in full beside the adapters, as model makers' own scripts do it (Qwen's
    finetune.py, LongLoRA), where nobody says which script it is.
    """
    if case.full or case.query.trainer or case.query.lora_targets or "trains_embeddings" in case.symptoms:
        return None
    return _over(case, case.need(stack, lora_targets=AND_EMBEDDINGS, optimizer="adamw").device)


def _evaluation(case: Case, stack: Stack, need: Need) -> int | None:
    beside = outside(case.plan(stack))
    if beside.eval_batch <= case.micro_batch:
        return None
    return _over(case, beside.evaluation + need.device - need.reserved)


def _all_on_one(case: Case, need: Need) -> int | None:
    """Every process on the first card; of Unsloth a rule says more."""
    copied = case.n_cards > 1 and case.sharding not in SHARDED and case.query.trainer != "unsloth"
    return _over(case, case.n_cards * need.device) if copied else None


def limits(case: Case, stack: Stack) -> dict[str, Any]:
    """The longest examples that the card holds: as it is, with the leanest stack, without checkpointing, and at the
    Trainer's default batch where nobody stated one; 0 where not even the shortest of the ladder fits.
    """
    facts: dict[str, Any] = {"limit": longest(case, stack), "limit_lean": longest(case, case.stacks[0])}
    facts |= {"limit_unchecked": None, "limit_batch": None}
    if _may_be_unchecked(case):
        facts["limit_unchecked"] = _longest_with(case, stack, grad_checkpointing=False)
    if _batch_may_be_default(case):
        facts["limit_batch"] = _longest_with(case, stack, micro_batch=DEFAULT_BATCH)
    return facts


def _longest_with(case: Case, stack: Stack, **slots: Any) -> int | None:
    return longest(case, stack, **slots) or (0 if case.usable else None)
