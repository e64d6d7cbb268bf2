"""What an answer on a failed run may say in numbers, whatever the cause; of one cause alone: by_cause.py."""

from typing import Any

from advisor.advice import Need
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import FOUR_BIT, GIB, GOOD, NO_TRAINERS
from advisor.tiers import roomy
from advisor.topics.oom_help.cause import blames_leak, failed, full_card, huge_block, ran_before
from advisor.topics.sizes import trains

SMALL_BLOCK_GIB = 0.4
"""A request below this fails because the card is full, not because it is large."""
LEAST_BLOCK_GIB = 1.0
"""Below this other tensors of a step are as large as its logits."""
GENERATES_ON_A_MAC = 23 * GIB
"""Usable bytes of a Mac with 32 GB, from which on generating groups of answers beside training is sensible."""
FOUR = 4
"""Bits of a quantised base."""
FP32, COMMON_VOCAB = 4, 128_256
"""Bytes of a logit in the loss, and Llama 3's vocabulary: what a failed block of logits is measured by."""
STANDING = ("weights", "adapters", "gradients", "optimizer")
"""Parts that no smaller batch and no shorter example shrinks."""
MOSTLY = 0.7
"""Share of the need from which on those parts are said to be the reason."""
COPIES = frozenset({"none", "ddp", "zero2"})
"""Ways to use several cards in which each holds all weights."""
FAR = 1.6
"""Times the largest estimate from which what was seen is called more than such a run takes."""
MOST_PARTS = 4
WIDE = 4
"""Times the leanest stack's need from which one that leaves experts in 16 bit is told in words: no range helps."""
REST = "rest"
"""What the named parts leave: smaller ones, PyTorch's cache, CUDA."""


def unsized(case: Case) -> dict[str, Any]:
    """Facts where no model is named."""
    tried = case.query.tried_allocate_gib or 0.0
    return {
        **case.where,
        "usable": None,  # told as the capacity: nothing is set against it
        "capacity": case.usable,
        "tried": int(tried * GIB),
        "small": tried < SMALL_BLOCK_GIB,
        "tokens": int(tried * GIB / FP32 / COMMON_VOCAB),
        "vocab": COMMON_VOCAB,
        "algorithm": case.query.algorithm,
        "apple": case.apple,
        "cramped": cramped(case),
        "asks_normal": "asks_normal" in case.symptoms,
        "leak": blames_leak(case),
        "trains": trains(case),
        "full": case.query.method == "full",
        "full_rows": bool(case.query.packing),
        "on": in_use(case),
        "seen": case.seen or None,
        "claimed": in_bytes(case.query.claimed_gib),
    }


def sized(case: Case, shown: Need) -> dict[str, Any]:
    """Facts of every cause; `shown` is the need that the answer is about."""
    needs = case.needs()
    parts = largest_parts(shown)
    copied = (*STANDING, "buffers") if case.full and case.sharding in COPIES else STANDING  # DDP's gradient buckets
    standing = sum(shown.components.get(name, 0) for name in copied)
    return _told(case) | {
        "lean": needs[0].device,
        "stock": shown.device,
        "fused": shown is not needs[-1],
        "most": needs[-1].device,
        "most_fit": needs[-1].fit,
        "two": needs[0].device != needs[-1].device,
        "wide": needs[-1].device > WIDE * needs[0].device and bool(case.setup.experts_16_bit),
        "basis": basis(case, shown) if case.full else None,
        "parts": parts,
        "logits": needs[-1].components.get("logits"),
        "standing": standing,
        "stands": standing > MOSTLY * shown.device,
        "weights": shown.components.get("weights", 0),
        "weights_lean": needs[0].components.get("weights", 0),
        "far": case.seen > FAR * needs[-1].device,
        "part": parts[0][0] if parts else "",
        "part_bytes": parts[0][1] if parts else 0,
        "minimum_gb": roomy(case, shown),
        "fit": shown.fit,
        "lean_fit": needs[0].fit,
        "fused_fits": needs[0] is not shown and needs[0].fit in GOOD,
        "lean_too": needs[0] is not shown and case.full and needs[0].fit in ("no", "unlikely"),
    }


def _told(case: Case) -> dict[str, Any]:
    """What the question says, and what follows from the model's size alone."""
    params = case.params or 0
    return {
        **case.where,
        "copies": case.n_cards > 1 and case.sharding in COPIES and "vram_adds_up" not in case.claims,
        "tokens": case.seq_len * case.micro_batch,
        "load_16": 2 * params,
        "load_32": 4 * params,
        "load_on_0": 2 * params * case.n_cards if 2 * params * case.n_cards > (case.usable or 0) else None,
        "seen": None if full_card(case) and failed(case) else case.seen or None,
        "claimed": in_bytes(case.query.claimed_gib),
        "in_fp32": case.query.compute_dtype == "fp32",
        "batch_stated": case.query.micro_batch is not None,
        "buffers": case.query.sharding == "zero3",
        "algorithm": case.query.algorithm,
        "later": "oom_later" in case.symptoms or blames_leak(case),
        "leak": blames_leak(case),
        "gathers": case.full and case.n_cards > 1,
        "is_full": case.full,
        "seq_len_stated": case.query.seq_len is not None,
        "apple": on_a_mac(case),
        "no_bf16": case.no_bf16,
        "ran_before": ran_before(case),
        "on": in_use(case),
        "full_rows": bool(case.query.packing),
        "accumulated": accumulated(case),
        "asks_normal": "asks_normal" in case.symptoms,
        "small_block": small_block(case),
        "died": bool(case.symptoms & FAILURES),
        "merges": "oom_merge" in case.symptoms,
        **_block(case),
        "only_infers": only_infers(case),
    }


def accumulated(case: Case) -> int | None:
    """The accumulation with which batch 1 is the same step, where both are stated."""
    query = case.query
    if query.micro_batch is None or query.micro_batch == 1 or query.grad_accum is None:
        return None
    return query.micro_batch * query.grad_accum


def basis(case: Case, need: Need) -> str:
    """What a figure for every weight rests on: the stack with its optimizer, or the named trainer's optimizer."""
    if need.stack != need.trainer:
        return need.stack
    return str(case.plan(case.stacks[case.needs().index(need)]).optimizer).removesuffix("_fused")


def in_use(case: Case) -> list[str]:
    """The usual savers that the writer has on already: nobody is told to switch them on."""
    query = case.query
    on = {
        "micro_batch": query.micro_batch == 1,
        "grad_checkpointing": bool(query.grad_checkpointing),
        "4_bit": query.method in FOUR_BIT or query.weight_bits == FOUR,
        "fused_loss": bool(query.fused_loss) or query.trainer == "unsloth",
    }
    return [name for name, is_on in on.items() if is_on]


def on_a_mac(case: Case) -> bool:
    """A Mac, by its chip or by name with its memory alone."""
    return case.apple or case.vendor == "apple"


def cramped(case: Case) -> bool:
    """A Mac on which groups of answers are hardly generated beside training; one of unsaid memory may be too."""
    return on_a_mac(case) and (case.usable or 0) < GENERATES_ON_A_MAC


def small_block(case: Case) -> bool:
    """What was refused is so little that the card must have been full before."""
    tried = case.query.tried_allocate_gib
    return tried is not None and tried < SMALL_BLOCK_GIB


def _block(case: Case) -> dict[str, Any]:
    """The block that failed, and of how many tokens in one step it has the logits, where those are more than is
    counted with; the kernels' fault where it is huge.
    """
    tried, vocab = case.query.tried_allocate_gib or 0.0, case.setup.vocab if case.sized else 0
    tokens = int(tried * GIB / FP32 / vocab) if vocab and tried >= LEAST_BLOCK_GIB and not huge_block(case) else 0
    told = tokens > case.seq_len * case.micro_batch
    return {"block_size": int(tried * GIB) if told else None, "block_tokens": tokens if told else None}


def only_infers(case: Case) -> bool:
    """The program named is made for running models: what is counted is training elsewhere."""
    return case.query.trainer in NO_TRAINERS


def in_bytes(gib: float | None) -> int | None:
    """Bytes of what is told in GiB."""
    return int(gib * GIB) if gib else None


def largest_parts(need: Need) -> list[list[Any]]:
    """The components that take most at the peak, with their bytes; last what is left, so that they add up."""
    parts = sorted(need.components.items(), key=lambda part: -part[1])[:MOST_PARTS]
    rest = need.device - sum(size for _, size in parts)
    return [[name, size] for name, size in (*parts, (REST, rest)) if size > 0]
