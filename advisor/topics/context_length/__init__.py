"""How much context? A ladder of lengths with the need of every stack, and the longest that the asker's card holds.

Facts: lengths that fit per stack (longest: {stack: tokens}), card, usable, per_1k (bytes per 1,024 tokens on the lean
stack; per_1k_stock on the last), reading (what the asker's run takes at the length it has now), stretched (the
longest with a fused loss and the checkpoints in system RAM, where that is longer), with_both (bytes at the asked
length with both), next (the length to reach, or twice that at which it ended: bytes as it is, and with what is not on
yet: missing), idle_offload (Unsloth's own offload would have been enough), copies (a copy on each card goes further
than the split that was counted: how far), compared (cards that stand for comparison: what each makes of the length),
cluster (no card named, and one does not hold it: eight cards that share each model), other_size (the same card with
another memory, and whether that does), each (every model with its longest sequences, where there are several and no
length), then (none: the longest with the method that fits), unfused (it failed with Unsloth: the longest with the
stock loss), ways (many cards and no method named: the other methods), at_limit (the longest is all that the model was
made for), in_full (every weight with AdamW on the stock loss, split over the cards, where that fits), own_tokens (a
long run does not fit cards that share the model: each holds its own tokens), more_cards (how many such cards do as it
is), shared (a card's need where the cards share each sequence), ran (the longest length that the asker saw to
run), eager (bytes with attention that keeps every score, where that is far more), smallest_gb (no card named: the
size that holds the length), mostly_logits (what the last stack takes), max_context, vocab.
"""

from bisect import bisect_left
from typing import Any

from advisor.advice import Advice, Change, Need, Rung, Verdict
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.changes import make_it_fit, make_room
from advisor.lengths import ladder, longest
from advisor.query import Kind
from advisor.stacks import GOOD
from advisor.tiers import others, roomy
from advisor.topics.context_length.cards import cluster, compared, copies, in_full, other_size, own_tokens
from advisor.topics.context_length.reach import (
    STRETCHED,
    WORTH,
    doubled,
    each_longest,
    eager,
    other_lengths,
    stretched,
    told_to_fail,
    unfused,
)
from advisor.topics.hidden import limits
from advisor.topics.oom_help import CLOSE, huge_block
from advisor.topics.oom_help.facts import largest_parts
from advisor.topics.sizes import sizes_table
from advisor.topics.unsaid import other_ways

CLUSTER = 4
"""Cards from which it is as likely that every weight is trained as that adapters are."""
HALF = 0.5
MOSTLY = 0.7
"""Share of a card from which on weights leave little of it for tokens."""
FEW = 2
"""Changes that the first line has room to name."""
MOST_RUNGS = 5
"""Rungs that a table shows."""
SAME = 1.1
"""Two lengths nearer to each other are one rung."""


def answer(case: Case) -> Advice:
    """Advice on the context length."""
    if not case.sized:
        return sizes_table(case, Kind.CONTEXT_LENGTH)
    lengths = ladder(case)
    asked = case.needs()
    held = {stack.code: longest(case, stack, lengths) for stack in case.stacks}
    first, last = (case.needs(seq_len=length) for length in (lengths[0], lengths[-1]))
    facts = _facts(case, lengths, held, asked) | {
        "per_1k": _per_1k(lengths, first[0], last[0]),
        "per_1k_stock": _per_1k(lengths, first[-1], last[-1]),
    }
    code = _code(case, asked, facts)
    facts |= limits(case, case.stacks[-1]) | {"eager": eager(case)} if code == "asked_failed" else {}
    changes = _changes(case, facts, code)
    if code == "asked_too_long" and rescued(changes):
        code = "asked_fits_with"
        facts["with_both"] = with_both(case, changes)
        facts["idle_offload"] = idle_offload(case, changes)
    if code == "none" and [change.slot for change in changes] == ["method"]:
        facts["then"] = with_method(case, changes[0].value, lengths)
    return Advice(
        kind=Kind.CONTEXT_LENGTH,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup,
        needs=asked,
        rungs=tuple(_rung(case, length) for length in _telling(case, lengths)),
        changes=changes,
        asks=None if case.usable or facts["compared"] else "gpus",
        offers=(
            *(f"seq_len={n}" for n in (4096, 8192, 32768) if n != case.seq_len),
            "show=why",
            "show=fit",
            "show=config",
        ),
    )


def _facts(
    case: Case, lengths: tuple[int, ...], held: dict[str, int | None], asked: tuple[Need, ...]
) -> dict[str, Any]:
    """The lengths that fit, how far they stretch, and what else there is."""
    lean = held[case.stacks[0].code]
    far = stretched(case, lengths, lean)
    ways = other_ways(case) if case.n_cards >= CLUSTER else []
    facts: dict[str, Any] = _of_asked(case, asked) | {
        **case.where,
        "longest": held,
        "lean_longest": lean,
        "stock_longest": held[case.stacks[-1].code],
        "stretched": far,
        "smallest_gb": roomy(case, asked[0]) if case.usable is None else None,
        "at_limit": not case.generic and lean == case.max_context,
        "unfused": unfused(case),
        "copies": copies(case, lengths, lean),
        "compared": compared(case, asked),
        "cluster": cluster(case, asked[-1]),
        "each": each_longest(case, held, lengths, far) if case.usable and case.query.seq_len is None else [],
        "with_both": None,
        "idle_offload": False,
        "then": None,
        "next": doubled(case) if told_to_fail(case) else None,
        "others": other_lengths(case, lengths) if case.usable else others(case),
        "ways": ways,
        "other_size": other_size(case, ways),
        "in_full": in_full(case) if ways else None,
        "max_context": None if case.generic else case.max_context,
        "vocab": case.model.vocab_size if case.model else None,
    }
    stretching = case.usable is not None and any(o["stretched"] for o in (facts, *facts["others"]))
    return facts | {"stretching": stretching}


def _of_asked(case: Case, asked: tuple[Need, ...]) -> dict[str, Any]:
    """What is told of the asked length, and what it takes."""
    failed = bool(case.symptoms & FAILURES)
    return {
        "asked": case.query.seq_len,
        "ran": case.query.ran_seq_len,
        "failed": failed,
        "reading": _reading(case),
        **own_tokens(case, asked[-1]),
        "expected": "asks_normal" in case.symptoms and not huge_block(case),
        "asked_stock_fit": asked[-1].fit,
        "lean": asked[0].device,
        "parts": largest_parts(asked[0])[:2] if failed else [],
        "weights_fill": _weights_fill(case, asked[0]) if failed else None,
        "stock": asked[-1].device,
        "mostly_logits": asked[-1].components.get("logits", 0) > HALF * asked[-1].device,
    }


def _weights_fill(case: Case, need: Need) -> int | None:
    """Bytes of weights on a card, where they leave little of it for tokens."""
    weights = need.components.get("weights", 0)
    return weights if case.usable is not None and weights > MOSTLY * case.usable else None


def _per_1k(lengths: tuple[int, ...], first: Need, last: Need) -> int:
    """Bytes that 1,024 tokens more cost, between the ends of the ladder."""
    return max(0, (last.device - first.device) * 1024 // max(1, lengths[-1] - lengths[0]))


def _reading(case: Case) -> int | None:
    """What the asker's run takes now, where the asked length is another."""
    now = not case.symptoms & (FAILURES | {"asks_normal"}) and not case.claims and not case.apple
    return case.seen if now and 0 < case.seen <= (case.usable or 0) * case.n_cards and case.query.seq_len else None


def _code(case: Case, asked: tuple[Need, ...], facts: dict[str, Any]) -> str:
    if case.usable is None:
        return "ladder"
    if case.query.seq_len is None:
        return "longest" if facts["lean_longest"] else "none"
    shown = asked[0] if case.query.fused_loss and asked[-1].fit not in GOOD else asked[-1]
    if facts["failed"] and shown.fit in GOOD and shown.device > CLOSE * case.usable:
        return "asked_tight"
    if asked[-1].fit in GOOD:
        return "asked_failed" if facts["failed"] else "asked_fits"
    return "asked_fits_lean" if asked[0].fit in GOOD else "asked_too_long"


def _changes(case: Case, facts: dict[str, Any], code: str) -> tuple[Change, ...]:
    if code == "asked_tight":
        return make_room(case, 1)
    if not case.usable or not _too_long(case, facts, case.lean):
        return ()
    return make_it_fit(case, whole=case.query.seq_len is not None)


def rescued(changes: tuple[Change, ...]) -> bool:
    """It fits at the asked length after all, with a few changes beside the trainer."""
    beside = sum(change.slot not in ("trainer", "experts") for change in changes)
    few = bool(changes) and beside <= FEW and changes[-1].fit in GOOD
    return few and all(change.slot != "seq_len" for change in changes)


def with_both(case: Case, changes: tuple[Change, ...]) -> int | None:
    """Bytes with a fused loss and the checkpoints in RAM, where one of them is enough but both save more."""
    stack = case.stacks[0]
    if case.apple or stack.trainer == "unsloth" or len(changes) != 1 or changes[0].slot not in STRETCHED:
        return None
    device = case.need(stack, **STRETCHED).device
    return device if device * WORTH < changes[-1].after else None


def idle_offload(case: Case, changes: tuple[Change, ...]) -> bool:
    """It failed with Unsloth for want of what Unsloth's own checkpointing does."""
    failed = case.query.trainer == "unsloth" and bool(case.symptoms & FAILURES)
    return failed and any(change.slot == "activation_offload" for change in changes)


def with_method(case: Case, method: str, lengths: tuple[int, ...]) -> int | None:
    """The longest sequence with the method that makes it fit."""
    slots: dict[str, Any] = {"method": method, "weight_bits": None, "quant": None, "optimizer": "adamw_8bit"}
    return longest(case, case.stacks[0], lengths, **slots)


def _too_long(case: Case, facts: dict[str, Any], lean: Need) -> bool:
    """The asked length, or every one, is too long as it stands."""
    return lean.fit not in GOOD if case.query.seq_len else facts["lean_longest"] is None


def _telling(case: Case, lengths: tuple[int, ...]) -> list[int]:
    """The lengths of a table: none above the second that nothing holds; of many, those nearest to the asked one."""
    asked = case.query.seq_len
    held = bisect_left(lengths, True, key=lambda length: _is_over(case, length)) if case.usable else len(lengths)
    last = lengths[min(held + 1, len(lengths) - 1)]
    shown = [length for length in lengths if length <= last or length == asked]
    if asked is None:
        return shown
    apart = [length for length in shown if length == asked or max(length, asked) > SAME * min(length, asked)]
    return sorted(sorted(apart, key=lambda length: max(length, asked) / min(length, asked))[:MOST_RUNGS])


def _is_over(case: Case, length: int) -> bool:
    """No stack fits at that length; nor at any longer one."""
    return all(need.fit == "no" for need in case.needs(seq_len=length))


def _rung(case: Case, length: int) -> Rung:
    row = case.needs(seq_len=length)
    return Rung(
        value=length,
        needs=tuple(n.device for n in row),
        fits=tuple(_seen_fit(case, n) for n in row if n.fit),
        smallest_gb=() if case.usable else tuple(roomy(case, n) for n in row),
    )


def _seen_fit(case: Case, need: Need) -> Any:
    """The fit of a length; where a run died, one that nearly fills the card is tight, as in the verdict."""
    died = bool(case.symptoms & FAILURES) and case.usable is not None
    return "tight" if died and need.fit == "yes" and need.device > CLOSE * (case.usable or 0) else need.fit
