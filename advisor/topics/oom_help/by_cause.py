"""What an answer on a failed run may say in numbers of one cause alone."""

from collections.abc import Callable
from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.estimator.outside import outside
from advisor.estimator.sharding import SHARDED
from advisor.evaluating import evaluation_fills_ram
from advisor.lengths import longest
from advisor.stacks import FOUR_BIT, GIB, GOOD
from advisor.tiers import roomy
from advisor.topics.hidden import at_default_batch, limits
from advisor.topics.oom_help import fitting
from advisor.topics.oom_help.cause import CLOSE, OVER, PREFERENCE, failed, huge_block
from advisor.topics.oom_help.facts import COPIES, FP32, STANDING
from advisor.topics.oom_help.generating import WHOLE, generating, method_rows
from advisor.topics.time_estimate.jobs import tokens_each

EVALUATED = 1_000
"""Examples of an evaluation that is told of without their number."""
GROWS = ("activations", "logits")
"""Parts that grow with length and batch."""
SHORT = (256, 512, 1024, 2048)
"""Lengths at which layers spread over cards are tried."""
HELD = 0.6
"""Share of the card that a run fills at least where more spills over."""
SHORTER = 1024
"""Tokens of a run that leaves room."""
OWN_TOKENS = 8192
"""Stated tokens from which it is told that every card holds those of its own sequence."""
LONG = 32_768
"""Tokens by which long examples are told where nobody says how long."""
LIKE = 0.25
"""Share by which two figures may differ and be of the same set-up."""
PURE = 8
"""Bytes a parameter of weights, gradients and both moments in bf16."""


def of_cause(case: Case, code: str) -> dict[str, Any]:
    """What one cause adds."""
    return OF_CAUSE[code](case) if code in OF_CAUSE else {}


def _eval(case: Case) -> dict[str, Any]:
    """What an evaluation takes, and at which batch."""
    beside = outside(case.plan(case.stacks[-1]))
    sample = FP32 * case.seq_len * case.setup.vocab
    told = sample >= GIB and case.usable is not None and beside.evaluation < case.usable
    return {
        **(_gathered(case) if evaluation_fills_ram(case) else {"gathered": None}),
        "eval_peak": beside.evaluation,
        "eval_one": sample,
        "eval_batch": beside.eval_batch,
        "eval_sample": sample if told else None,  # where the batch alone would fit
    }


def _adapter(case: Case) -> dict[str, Any]:
    """What running takes after training: the base in 4 bit with the adapter on top."""
    four = case.need(case.stacks[0], method="qlora", weight_bits=None, quant=None).components.get("weights", 0)
    return {"in_4_bit": four, "one_memory": case.one_memory}


def _gathered(case: Case) -> dict[str, Any]:
    """Bytes of the logits of all examples of an evaluation, or of so many where nobody says how many; per process."""
    examples, each = case.query.dataset_examples or EVALUATED, case.query.seq_len or tokens_each(case)
    return {
        "gathered": FP32 * examples * each * case.setup.vocab,
        "gathered_rows": examples,
        "gathered_each": each,
        "gathered_told": case.query.dataset_examples is not None,
        "processes": case.n_cards,
    }


def _close(case: Case) -> dict[str, Any]:
    """The default batch, and how long examples may be where nobody said how long they are."""
    facts = limits(case, case.stacks[-1]) if case.query.seq_len is None else {"limit": None}
    return at_default_batch(case) | facts | {"one_card": _one_card(case)}


def _one_card(case: Case) -> dict[str, Any] | None:
    """Where each of several cards holds a copy: what one of them takes by itself at a shorter length."""
    if case.n_cards == 1 or case.sharding not in COPIES or case.query.seq_len is not None:
        return None
    need = case.need(case.stacks[-1], seq_len=min(SHORTER, case.seq_len), n_gpus=1, sharding="none")
    return {"tokens": min(SHORTER, case.seq_len), "device": need.device} if need.fit == "yes" else None


def _preference(case: Case) -> dict[str, Any]:
    """What the reference model takes, and which pairs the card holds."""
    default = at_default_batch(case)
    limit = longest_pair(case)
    batch = case.query.micro_batch is not None and limit is None
    told = (case.query.seq_len is not None or batch) and default["default_batch"] is None
    return default | {
        "reference": 2 * (case.params or 0) if case.full or case.method_unsaid else None,
        "doubled": "dpo_is_double" in case.claims,
        "limit": limit,
        "from_sft": _from_sft(case),
        "on_paper": failed(case) and told and case.plain.fit in GOOD,
    }


def _from_sft(case: Case) -> int | None:
    """What pairs take by what SFT was seen to take: all but the weights and states comes twice."""
    if not case.seen or "sft" not in case.query.named.get("algorithm", ()):
        return None
    standing = sum(case.plain.components.get(name, 0) for name in STANDING)
    return 2 * case.seen - standing if standing < case.seen else None


def _spilt(case: Case) -> dict[str, Any]:
    """What was seen, where the card may hold that by itself."""
    fills = case.usable is not None and HELD * case.usable < case.seen < OVER * case.usable  # less is what spilt
    return {"held": case.seen if fills else None}


def _too_big(case: Case) -> dict[str, Any]:
    """Where layers spread over the cards would do; how long pairs may be; what others train on such a card."""
    pairs = longest(case, case.stacks[-1]) if case.query.algorithm in PREFERENCE else None
    told = {"layered": _layered(case), "pairs": pairs, "others": case.full and "works_for_others" in case.symptoms}
    return told | {"shared_sequence": _shared_sequence(case), "four_on_one": fitting.four_on_one(case)}


def _shared_sequence(case: Case) -> dict[str, int] | None:
    """Where long sequences do not fit split weights: what a card takes once the cards share each sequence as well."""
    one = case.n_cards == 1 or case.micro_batch > 1  # with more, batch 1 comes first
    if (case.query.seq_len or 0) < OWN_TOKENS or one or case.sharding not in SHARDED:
        return None
    tokens = -(-case.seq_len // case.n_cards)
    need = case.need(case.stacks[-1], seq_len=tokens)
    return {"tokens": tokens, "device": need.device} if need.fit in GOOD else None


def _less(case: Case) -> dict[str, Any]:
    """What the same steps take with gradient checkpointing, where it is off, and whether the told figure is that."""
    facts: dict[str, Any] = {"seen": case.seen, "checked": None, "claims_checked": False}
    if case.query.grad_checkpointing is not False:
        return facts
    checked, told = case.need(case.stacks[0], grad_checkpointing=True), (case.query.claimed_gib or 0) * GIB
    return facts | {"checked": checked.device, "claims_checked": abs(told - checked.device) < LIKE * checked.device}


def _method(case: Case) -> dict[str, Any]:
    """What each method takes, which of them the card holds; what was seen without one huge block is most like which."""
    rows = method_rows(case)
    fits = {f"fits_{row.stack}": row.fit for row in rows}
    lean = case.need(case.lean_full, **(WHOLE | {"method": "full"} | dict(case.lean_full.changes)))
    facts = {row.stack: row.device for row in rows} | fits | _first_step(rows[1])
    taken = {"qlora": rows[0], "lora": rows[1], "lean_full": lean, "full": rows[2]}
    below = [name for name, need in taken.items() if need.low <= case.seen]
    facts |= {"block": huge_block(case), "like": below[-1] if below and huge_block(case) else None}
    return facts | {"in_16_bit": case.method == "lora", "lean_full": lean.device}


def _states(case: Case) -> dict[str, Any]:
    """What each method takes, all states in bf16, and the step of long examples where nobody says how long."""
    facts = _method(case) | {"pure": PURE * (case.params or 0), "long": None, "step_long": None}
    if case.query.seq_len is not None or case.max_context < LONG or "long_unsaid" not in case.symptoms:
        return facts
    lora: dict[str, Any] = {"method": "lora", "seq_len": LONG, **WHOLE}
    return facts | {"long": LONG, "step_long": _first_step(case.need(case.stacks[-1], **lora))["step"]}


def _first_step(lora: Need) -> dict[str, Any]:
    """What a step adds beside weights and states, at its peak: as much with LoRA, whose peak has no states in it."""
    return {"step": sum(lora.components.get(name, 0) for name in GROWS)}


def longest_pair(case: Case) -> int | None:
    """The longest pair that the card holds, where nobody stated a length and it is not whatever the model takes."""
    if case.query.seq_len is not None or case.usable is None or case.plain.fit not in GOOD:
        return None
    found = longest(case, case.stacks[-1])
    return found if found and found < case.max_context else None


def _later(case: Case) -> dict[str, Any]:
    """Which lengths the card holds, and how the stated one stands to them."""
    facts = limits(case, case.stacks[-1])
    held = [facts[name] for name in ("limit", "limit_unchecked", "limit_batch") if facts[name]]
    cap = min(held, default=None)  # with it the run holds, whatever is off
    return facts | {
        "within": _within(case, facts),
        "unchecked_short": _short(case, facts["limit_unchecked"]),
        "cap": cap,
    }


def _within(case: Case, facts: dict[str, Any]) -> bool:
    """The card holds the stated length at every batch that may be meant: no example of that length is too long."""
    length, default = case.query.seq_len, facts["limit_batch"]
    return bool(length and facts["limit"] and length <= facts["limit"] and (default is None or length <= default))


def _short(case: Case, limit: int | None) -> bool:
    """The card does not hold the stated length that way."""
    return limit is not None and case.query.seq_len is not None and limit < case.query.seq_len


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


def _load(case: Case) -> dict[str, Any]:
    """Whether 16-bit weights alone fill the card, so that no adapters can be trained on them; and what 4 bit takes."""
    weights, four = case.plain.components.get("weights", 0), fitting.in_4_bit(case)
    fills = four is not None and case.usable is not None and weights > CLOSE * case.usable
    return {"fills": fills and case.plain.fit not in GOOD, "in_4_bit": four, "split": _split(case)}


def _split(case: Case) -> dict[str, Any] | None:
    """What a card takes once the weights are split, where each loads a copy of its own that it cannot hold."""
    if case.n_cards < 2 or case.sharding not in COPIES or case.usable is None or case.method in FOUR_BIT:
        return None
    if 2 * (case.params or 0) < case.usable:
        return None
    need = case.need(case.stacks[-1], sharding="zero3")
    return {"device": need.device, "fit": need.fit}


def _moe_load(case: Case) -> dict[str, Any]:
    """What training takes with every expert in 4 bit, and the card that holds that: loading is not the whole of it."""
    need = case.lean
    return {"lean_low": need.low, "lean_high": need.high, "lean_gb": roomy(case, need)}


OF_CAUSE: dict[str, Callable[[Case], dict[str, Any]]] = {
    "eval": _eval,
    "generate": generating,
    "close": _close,
    "preference": _preference,
    "shared": _spilt,
    "spill": _spilt,
    "too_big": _too_big,
    "should_fit": fitting.should_fit,
    "length": fitting.length,
    "later": _later,
    "less": _less,
    "method": _method,
    "states": _states,
    "moe_load": _moe_load,
    "load": _load,
    "adapter": _adapter,
}
"""A cause (oom_help, `Verdict`) → what it adds."""
