"""What an answer on a failed run may say in numbers: of every cause, and of one cause alone."""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.estimator.outside import outside
from advisor.lengths import longest
from advisor.stacks import FOUR_BIT, FULL_ADAMW, GIB, GOOD, NO_TRAINERS
from advisor.tiers import smallest
from advisor.topics.hidden import MOST_SUSPECTS, at_default_batch, limits, of_fitting
from advisor.topics.oom_help.cause import OVER, failed, full_card, ran_before
from advisor.topics.sizes import trains

SMALL_BLOCK_GIB = 0.4
"""A request below this fails because the card is full, not because it is large."""
FOUR = 4
"""Bits of a quantised base."""
FP32, COMMON_VOCAB = 4, 128_256
"""Bytes of a logit in the loss, and Llama 3's vocabulary: what a failed block of logits is measured by."""
RAN_OUT = frozenset({"oom_step", "oom_later", "oom_load"})
STANDING = ("weights", "adapters", "gradients", "optimizer")
"""Parts that no smaller batch and no shorter example shrinks."""
GROWS = ("activations", "logits")
"""Parts that grow with length and batch."""
GENERATES_ON_A_MAC = 23 * GIB
"""Usable bytes of a Mac with 32 GB, from which on generating groups of answers beside training is sensible."""
MOSTLY = 0.7
"""Share of the need from which on those parts are said to be the reason."""
COPIES = frozenset({"none", "ddp", "zero2"})
"""Ways to use several cards in which each holds all weights."""
BY_LENGTH = frozenset({"length", "batch", "checkpointing", "both"})
"""Suspects that an answer in lengths tells as lengths."""
SHORT = (256, 512, 1024, 2048)
"""Lengths at which layers spread over cards are tried."""
LIMITS = ("limit_batch", "limit_unchecked")
FAR = 1.6
"""Times the largest estimate from which what was seen is called more than such a run takes."""
MOST_PARTS = 4
ALONE: dict[str, Any] = {"n_gpus": 1, "sharding": "none", "weight_bits": None}


def unsized(case: Case) -> dict[str, Any]:
    """Facts where no model is named."""
    tried = case.query.tried_allocate_gib or 0.0
    return {
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "count": case.n_cards,
        "capacity": case.usable,
        "tried": int(tried * GIB),
        "small": tried < SMALL_BLOCK_GIB,
        "tokens": int(tried * GIB / FP32 / COMMON_VOCAB),
        "vocab": COMMON_VOCAB,
        "algorithm": case.query.algorithm,
        "apple": case.apple,
        "trains": trains(case),
        "full": case.query.method == "full",
        "on": in_use(case),
        "seen": _bytes(case.query.seen_gib),
        "claimed": _bytes(case.query.claimed_gib),
    }


def sized(case: Case, shown: Need) -> dict[str, Any]:
    """Facts of every cause; `shown` is the need that the answer is about."""
    needs = case.needs()
    parts = largest_parts(shown)
    standing = sum(shown.components.get(name, 0) for name in STANDING)
    return _told(case) | {
        "lean": needs[0].device,
        "stock": shown.device,
        "fused": shown is not needs[-1],
        "most": needs[-1].device,
        "parts": parts,
        "logits": needs[-1].components.get("logits"),
        "standing": standing,
        "stands": standing > MOSTLY * shown.device,
        "weights": shown.components.get("weights", 0),
        "weights_lean": needs[0].components.get("weights", 0),
        "far": (case.query.seen_gib or 0.0) * GIB > FAR * needs[-1].device,
        "part": parts[0][0] if parts else "",
        "part_bytes": parts[0][1] if parts else 0,
        "minimum_gb": smallest(case, shown),
        "fit": shown.fit,
        "lean_fit": needs[0].fit,
        "fused_fits": needs[0] is not shown and needs[0].fit in GOOD,
        "lean_too": needs[0] is not shown and case.full and needs[0].fit in ("no", "unlikely"),
    }


def _told(case: Case) -> dict[str, Any]:
    """What the question says, and what follows from the model's size alone."""
    params = case.params or 0
    return {
        "usable": case.usable,
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "count": case.n_cards,
        "copies": case.n_cards > 1 and case.sharding in COPIES and "vram_adds_up" not in case.claims,
        "tokens": case.seq_len * case.micro_batch,
        "load_16": 2 * params,
        "load_32": 4 * params,
        "load_on_0": 2 * params * case.n_cards if 2 * params * case.n_cards > (case.usable or 0) else None,
        "seen": None if full_card(case) and failed(case) else _bytes(case.query.seen_gib),
        "claimed": _bytes(case.query.claimed_gib),
        "in_fp32": case.query.compute_dtype == "fp32",
        "batch_stated": case.query.micro_batch is not None,
        "buffers": case.query.sharding == "zero3",
        "algorithm": case.query.algorithm,
        "later": "oom_later" in case.symptoms,
        "gathers": case.full and case.n_cards > 1,
        "is_full": case.full,
        "seq_len_stated": case.query.seq_len is not None,
        "apple": on_a_mac(case),
        "no_bf16": case.no_bf16,
        "ran_before": ran_before(case),
        "on": in_use(case),
        "asks_normal": "asks_normal" in case.symptoms,
        "small_block": small_block(case),
        "only_infers": only_infers(case),
        "names": [[card.name, card.vram_gb, card.count] for card in case.cards],
    }


def of_cause(case: Case, code: str) -> dict[str, Any]:
    """What one cause adds."""
    if code == "eval":
        beside = outside(case.estimate(case.stacks[-1]).plan)
        return {"eval_peak": beside.evaluation, "eval_batch": beside.eval_batch}
    if code == "generate":
        unsaid = case.query.method is None and not case.full
        cramped = on_a_mac(case) and (case.usable or 0) < GENERATES_ON_A_MAC
        return {
            "full": method_rows(case)[-1].device if unsaid else None,
            "by_design": by_design(case),
            "cramped": cramped,
        }
    if code == "close":
        return at_default_batch(case) | (
            limits(case, case.stacks[-1]) if case.query.seq_len is None else {"limit": None}
        )
    if code == "preference":
        reference = 2 * (case.params or 0)
        doubled = "dpo_is_double" in case.claims
        held = reference if case.full or case.method_unsaid else None
        return (
            at_default_batch(case)
            | {"reference": held, "doubled": doubled}
            | {
                "limit": longest_pair(case),
                "on_paper": failed(case) and _stated(case) and case.needs()[-1].fit in GOOD,
            }
        )
    if code in ("shared", "spill"):
        seen = _bytes(case.query.seen_gib) or 0
        return {"held": seen if case.usable and 0 < seen < OVER * case.usable else None}
    if code == "too_big":
        return {"layered": _layered(case)}
    if code in ("should_fit", "length", "later"):
        return _of_lengths(case, code)
    if code in ("method", "states"):
        rows = method_rows(case)
        fits = {f"fits_{row.stack}": row.fit for row in rows}
        lean = case.need(case.lean_full, **(ALONE | {"method": "full"} | dict(case.lean_full.changes)))
        facts = {row.stack: row.device for row in rows} | fits | _first_step(rows[1])
        return facts | {"in_16_bit": case.method == "lora", "lean_full": lean.device}
    return {}


def by_design(case: Case) -> bool:
    """vLLM fills the card as it was told to: nothing was refused."""
    refused = case.symptoms & RAN_OUT or case.query.tried_allocate_gib is not None
    return "oom_generate" in case.symptoms and not refused


def _first_step(lora: Need) -> dict[str, Any]:
    """What a step adds beside weights and states, at its peak: as much with LoRA, whose peak has no states in it."""
    return {"step": sum(lora.components.get(name, 0) for name in GROWS)}


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


def small_block(case: Case) -> bool:
    """What was refused is so little that the card must have been full before."""
    tried = case.query.tried_allocate_gib
    return tried is not None and tried < SMALL_BLOCK_GIB


def only_infers(case: Case) -> bool:
    """The program named is made for running models: what is counted is training elsewhere."""
    return case.query.trainer in NO_TRAINERS


def _stated(case: Case) -> bool:
    """Length and batch are the writer's own."""
    return case.query.seq_len is not None and case.query.micro_batch is not None


def longest_pair(case: Case) -> int | None:
    """The longest pair that the card holds, where nobody stated a length and it is not whatever the model takes."""
    if case.query.seq_len is not None or case.usable is None or case.needs()[-1].fit not in GOOD:
        return None
    found = longest(case, case.stacks[-1])
    return found if found and found < case.max_context else None


def _of_lengths(case: Case, code: str) -> dict[str, Any]:
    """Which lengths the card holds, and what else may hide in a set-up that fits."""
    stack = case.stacks[-1]
    if code == "should_fit":
        facts = of_fitting(case, stack)
        return facts | {"listed": _listed(case, facts["suspects"])}
    if code == "later":
        facts = limits(case, stack)
        return facts | {"within": _within(case, facts), "unchecked_short": _short(case, facts["limit_unchecked"])}
    facts = of_fitting(case, stack) | limits(case, stack)
    told = [{"why": code, "bytes": facts[code]} for code in LIMITS if _below(facts, code)]
    others = [suspect for suspect in facts["suspects"] if suspect["why"] not in BY_LENGTH]
    copied = [suspect for suspect in others if suspect["why"] == "copied"]
    rest = [suspect for suspect in others if suspect["why"] != "copied"]
    suspects = [*copied, *told, *rest][:MOST_SUSPECTS]
    return facts | {"suspects": suspects, "listed": _listed(case, suspects)}


def _within(case: Case, facts: dict[str, Any]) -> bool:
    """The card holds the stated length at every batch that may be meant: no example of that length is too long."""
    length, default = case.query.seq_len, facts["limit_batch"]
    return bool(length and facts["limit"] and length <= facts["limit"] and (default is None or length <= default))


def _short(case: Case, limit: int | None) -> bool:
    """The card does not hold the stated length that way."""
    return limit is not None and case.query.seq_len is not None and limit < case.query.seq_len


def _listed(case: Case, suspects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The suspects with what no figure tells: ZeRO-3's buffers, another process. Nothing where neither is told."""
    if case.query.sharding == "zero3":
        suspects = [*suspects, {"why": "buffers"}]
    return [*suspects, {"why": "process"}] if suspects else []


def _below(facts: dict[str, Any], code: str) -> bool:
    """A limit that is below the one of the set-up as it stands."""
    return facts[code] is not None and facts["limit"] is not None and facts[code] < facts["limit"]


def _layered(case: Case) -> dict[str, Any] | None:
    """The longest short length at which adapters fit with the layers spread over the cards, one card at work at a
    time; None where a split was stated, or nothing fits.
    """
    if case.full or case.n_cards < 2 or case.query.sharding or case.usable is None or case.sharding in COPIES:
        return None
    for length in reversed(SHORT):
        need = case.need(case.stacks[0], sharding="pipeline", seq_len=length)
        if need.fit in GOOD:
            return {"tokens": length, "device": need.device}
    return None


def _bytes(gib: float | None) -> int | None:
    return int(gib * GIB) if gib else None


def method_rows(case: Case) -> tuple[Need, ...]:
    """The need with QLoRA, 16-bit LoRA and full fine-tuning, plain AdamW in mixed precision."""
    qlora = case.need(case.stacks[-1], method="qlora", **ALONE).model_copy(update={"stack": "qlora"})
    lora = case.need(case.stacks[-1], method="lora", **ALONE).model_copy(update={"stack": "lora"})
    full = case.need(FULL_ADAMW, method="full", optimizer="adamw", autocast=True, **ALONE)
    return qlora, lora, full.model_copy(update={"stack": "full"})


def largest_parts(need: Need) -> list[list[Any]]:
    """The components that take most at the peak, with their bytes."""
    return [[name, size] for name, size in sorted(need.components.items(), key=lambda part: -part[1])[:MOST_PARTS]]
