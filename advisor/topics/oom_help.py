"""Out of memory: the cause first, then the fixes in order with the bytes that each saves.

Verdict: states, killed, disk, spill, load, eval, save, generate, later, fragmented, too_big, preference, length,
should_fit, too_much, unsized.
Facts: lean, stock, usable, card, count, part and part_bytes (the largest component on the shown stack), tokens (per
step and card), load_16 and load_32 (bytes of the weights in 16 and 32 bit), load_on_0 (of every rank's copy, where one
card does not hold them), default_batch (bytes at batch 8), weights and weights_lean (bytes as this method holds them),
host_ram; of a set-up that should fit: limit (tokens), alone, copied (bytes); by_design (vLLM only fills the card).
"""

from typing import Any

from advisor.advice import Advice, Need, Rung, Verdict
from advisor.case import Case
from advisor.changes import make_it_fit, make_room
from advisor.estimator.outside import outside
from advisor.lengths import longest
from advisor.options import GOOD
from advisor.query import Kind
from advisor.stacks import FULL_ADAMW, GIB
from advisor.tiers import smallest
from advisor.topics.hidden import ANY_LENGTH, at_default_batch, of_fitting
from advisor.topics.sizes import trains
from advisor.topics.which_gpu import ROLLOUTS

LADDER = (512, 2048, 4096, 8192)
BY_SYMPTOM = (
    ("killed", "killed"),
    ("disk_full", "disk"),
    ("slow_spill", "spill"),
    ("oom_load", "load"),
    ("oom_eval", "eval"),
    ("oom_save", "save"),
    ("oom_merge", "save"),
    ("oom_generate", "generate"),
)
FAILURES = frozenset(
    {"oom_step", "oom_later", "oom_load", "oom_eval", "oom_save", "oom_merge", "oom_generate", "growing", "killed"}
)
HUGE_GIB = 16.0
"""No fused kernel asks for as much at once."""
SMALL_BLOCK_GIB = 0.4
"""A request below this fails because the card is full, not because it is large."""
FP32, COMMON_VOCAB = 4, 128_256
"""Bytes of a logit in the loss, and Llama 3's vocabulary: what a failed block of logits is measured by."""
SMALL_SHARE = 0.4
CLOSE = 0.88
"""Share of the card above which the longest batch or fragmentation is cause enough."""
NEAR, MOST = 0.4, 2.2
"""Shares of a typical difference by which it is known."""
ASKS_LENGTH = frozenset(
    {"close", "needs", "length", "later", "too_big", "preference", "generate", "should_fit", "method"}
)
"""Causes in which the length of the longest example decides."""
SMALL_AT_BATCH_1 = frozenset({"preference", "should_fit", "length"})
"""Causes in which our own batch of 1 may be what hides the need."""
RAN_OUT = frozenset({"oom_step", "oom_later", "oom_load"})
PREFERENCE = frozenset({"dpo", "orpo", "kto", "simpo", "cpo", "reward"})


def answer(case: Case) -> Advice:
    """Advice on a run that ran out of memory."""
    if not case.sized:
        code = cause(case, None)
        tried = case.query.tried_allocate_gib or 0.0
        facts: dict[str, Any] = {
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
        }
        return Advice(
            kind=Kind.OOM_HELP,
            query=case.query,
            verdict=Verdict(code=code, facts=facts),
            asks="model",
            offers=("params_b=8", "params_b=14", "seq_len=2048", "kind=system_ram"),
        )
    needs = case.needs()
    place = -1 if failed(case) else 0
    shown, stack = needs[place], case.stacks[place]
    part, part_bytes = largest_part(shown)
    params = case.params or 0
    facts = {
        "lean": needs[0].device,
        "stock": shown.device,
        "fused": shown is not needs[-1],
        "most": needs[-1].device,
        "usable": case.usable,
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "count": case.n_cards,
        "part": part,
        "part_bytes": part_bytes,
        "tokens": case.seq_len * case.micro_batch,
        "load_16": 2 * params,
        "load_32": 4 * params,
        "load_on_0": 2 * params * case.n_cards if 2 * params * case.n_cards > (case.usable or 0) else None,
        "weights": shown.components.get("weights", 0),
        "weights_lean": needs[0].components.get("weights", 0),
        "host_ram": shown.host_ram,
        "algorithm": case.query.algorithm,
        "minimum_gb": smallest(case, needs[0]),
        "later": "oom_later" in case.symptoms,
        "gathers": case.full and case.n_cards > 1,
        "seq_len_stated": case.query.seq_len is not None,
        "fit": shown.fit,
        "lean_fit": needs[0].fit,
        "apple": case.apple,
        "no_bf16": case.no_bf16,
        "names": [[card.name, card.vram_gb, card.count] for card in case.cards],
    }
    code = cause(case, shown)
    if code == "eval":
        beside = outside(case.estimate(case.stacks[-1]).plan)
        facts |= {"eval_peak": beside.evaluation, "eval_batch": beside.eval_batch}
    if code == "generate":
        unsaid = case.query.method is None and not case.full
        facts["full"] = method_rows(case)[-1].device if unsaid else None
        facts["by_design"] = not case.symptoms & RAN_OUT and case.query.tried_allocate_gib is None
    if code == "length":
        facts |= {"limit": longest(case, case.stacks[-1]), "limit_lean": longest(case, case.stacks[0])}
    if code in SMALL_AT_BATCH_1:
        facts |= at_default_batch(case) if failed(case) else {"default_batch": None}
    if code == "should_fit":
        facts |= of_fitting(case, stack)
    if code in ("method", "states"):
        rows = method_rows(case)
        facts |= {row.stack: row.device for row in rows} | {"fits_full": rows[-1].fit}
    too_big = shown.fit is not None and shown.fit not in GOOD
    return Advice(
        kind=Kind.OOM_HELP,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup,
        needs=needs,
        rungs=_ladder(case) if case.query.seq_len is None and code in ASKS_LENGTH - {"method"} else (),
        changes=make_it_fit(case, stack)
        if too_big
        else make_room(case, 3)
        if code in ASKS_LENGTH - {"method"} | {"fragmented"}
        else (),
        asks=_asks(case, code),
        offers=("show=fit", "seq_len=1024", "micro_batch=1", "show=why", "show=config", "kind=system_ram"),
    )


def _asks(case: Case, code: str) -> str | None:
    if code == "method":
        return "method"
    if case.query.seq_len is None and code in ASKS_LENGTH - {"should_fit"}:
        return "seq_len"
    return "gpus" if case.usable is None and code in ASKS_LENGTH else None


def cause(case: Case, shown: Need | None) -> str:
    """The most likely cause, from the symptom first and the numbers second."""
    if "shared_memory_counts" in case.claims and not case.symptoms & {"oom_load", "oom_eval", "oom_save"}:
        return "shared"
    if "killed" in case.symptoms and case.symptoms & {"oom_merge", "oom_save"}:
        return "save"
    if "oom_load" in case.symptoms and case.model is not None and case.model.moe and not case.full:
        return "moe_load"
    for symptom, code in BY_SYMPTOM:
        if code == "load" and case.symptoms & {"oom_later", "oom_second"}:
            continue
        if symptom in case.symptoms:
            return code
    if "oom_second" in case.symptoms and states_grow(case):
        return "states"
    if shown is not None and shown.fit in ("no", "unlikely"):
        return "too_big"
    if case.query.algorithm in ROLLOUTS:
        return "generate"
    if case.query.algorithm in PREFERENCE:
        return "preference"
    if "oom_later" in case.symptoms or "growing" in case.symptoms:
        return "later"
    if "fragmented" in case.symptoms:
        return "fragmented"
    if shown is None:
        return "traceback" if case.query.capacity_gib and case.query.tried_allocate_gib else "unsized"
    if shown.fit is None:
        return "needs"
    if method_decides(case):
        return "method"
    if not failed(case):
        more = int((case.query.seen_gib or 0) * GIB) - shown.device
        return "too_much" if wider_weights(case, more) else "normal"
    if case.usable and shown.device > CLOSE * case.usable:
        return "close"
    return "should_fit" if case.query.seq_len is not None or reaches(case) else "length"


def huge_block(case: Case) -> bool:
    """One block that no fused kernel asks for: the software is at fault, not the size of the run."""
    return (case.query.tried_allocate_gib or 0.0) >= HUGE_GIB


def states_grow(case: Case) -> bool:
    """All weights are trained, or nobody said how: Adam makes its states in the first step."""
    return case.full or (case.query.method is None and case.query.weight_bits is None)


def reaches(case: Case) -> bool:
    """The card holds all that the model was made for, or more than examples usually have."""
    return case.need(case.stacks[-1], seq_len=min(ANY_LENGTH, case.max_context)).fit in GOOD


def failed(case: Case) -> bool:
    """Whether a run died; where only its memory is told, or whether that is normal is asked, it ran."""
    query = case.query
    ran = query.seen_gib is not None or "asks_normal" in case.symptoms
    return bool(case.symptoms & FAILURES) or query.tried_allocate_gib is not None or not ran


def wider_weights(case: Case, more: int) -> str | None:
    """What so many bytes above the estimate point to: weights in fp32, or not quantised; None where to neither.

    Source: 2 bytes a parameter more is fp32 instead of bf16; bitsandbytes' 4-bit saves 1.5.
    """
    four_bit = case.method in ("qlora", "qdora")
    gap = (1.5 if four_bit else 2.0) * (case.params or 0)
    return ("sixteen" if four_bit else "fp32") if (1 - NEAR) * gap < more < MOST * gap else None


def method_decides(case: Case) -> bool:
    """Nobody said how it is trained, and what we assume can take so little of the card that it can hardly be that."""
    unsaid = case.query.method is None and case.method == "qlora"
    return unsaid and case.usable is not None and case.needs()[0].device < SMALL_SHARE * case.usable


def method_rows(case: Case) -> tuple[Need, ...]:
    """The need with 16-bit LoRA and with full fine-tuning, plain AdamW in mixed precision."""
    alone: dict[str, Any] = {"n_gpus": 1, "sharding": "none", "weight_bits": None}
    lora = case.need(case.stacks[-1], method="lora", **alone).model_copy(update={"stack": "lora"})
    full = case.need(FULL_ADAMW, method="full", optimizer="adamw", autocast=True, **alone)
    return lora, full.model_copy(update={"stack": "full"})


def largest_part(need: Need) -> tuple[str, int]:
    """The component that takes most at the peak, and its bytes."""
    if not need.components:
        return "", 0
    name = max(need.components, key=lambda key: need.components[key])
    return name, need.components[name]


def _ladder(case: Case) -> tuple[Rung, ...]:
    rungs = []
    for length in LADDER:
        if length <= case.max_context:
            row = tuple(case.need(stack, seq_len=length) for stack in case.stacks)
            rungs.append(
                Rung(value=length, needs=tuple(n.device for n in row), fits=tuple(n.fit for n in row if n.fit))
            )
    return tuple(rungs)
