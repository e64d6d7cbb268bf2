"""How far a set-up goes: the longest sequence of every model, and what would lengthen it."""

from typing import Any

from advisor.asked import FAILURES
from advisor.case import Case
from advisor.lengths import longest
from advisor.stacks import BILLION, STOCK

STRETCHED: dict[str, Any] = {"fused_loss": True, "activation_offload": True}
WORTH = 1.25
"""How much longer a sequence must become for a change to be worth a line."""


def told_to_fail(case: Case) -> bool:
    """One stack, whose stated length ran, or died: what is asked is how far it goes."""
    if case.query.failed_seq_len:
        return False  # it is the length that did not run
    return bool(case.query.seq_len and case.usable and case.symptoms & FAILURES and len(case.stacks) == 1)


def stretched(case: Case, lengths: tuple[int, ...], lean: int | None, **slots: Any) -> int | None:
    """The longest sequence with a fused loss and the checkpoints in system RAM; None where that is no longer."""
    if case.usable is None or case.apple:
        return None
    found = longest(case, case.stacks[0], lengths, **slots | STRETCHED)
    return found if found and found > WORTH * (lean or 0) else None


def unfused(case: Case) -> int | None:
    """Where a run with Unsloth failed: how long a sequence is with the stock loss, should the fused one be off."""
    if case.query.trainer != "unsloth" or not case.symptoms & FAILURES or case.usable is None:
        return None
    found = longest(case, STOCK)
    return found if (found or 0) >= (case.query.ran_seq_len or 0) else None  # else it is at work


def eager(case: Case) -> int | None:
    """What the asked length takes with eager attention, where nobody named another and that is far more."""
    if case.query.attention not in (None, "eager") or case.usable is None:
        return None
    stack = case.stacks[-1]
    scores = case.need(stack, attention="eager").device
    return scores if scores > WORTH * case.need(stack).device else None


def doubled(case: Case) -> dict[str, Any] | None:
    """The length to reach, else twice the one told of: as it is, and with a fused loss and checkpoints in RAM."""
    tokens = case.seq_len if case.query.ran_seq_len else 2 * case.seq_len
    stack = case.stacks[-1]
    plain = case.need(stack, seq_len=tokens)
    lean = case.need(stack, seq_len=tokens, **STRETCHED)
    needed = {"plain": plain.device, "fit": plain.fit, "lean": lean.device, "lean_fit": lean.fit}
    return {"tokens": tokens, "missing": _missing(case)} | needed


def _missing(case: Case) -> list[str]:
    """Of a fused loss and checkpoints in RAM what neither the asker nor the trainer has on already."""
    query = case.query
    fused = query.fused_loss or query.trainer == "unsloth"
    offloaded = query.activation_offload or query.grad_checkpointing == "unsloth"
    return [slot for slot, on in (("fused_loss", fused), ("activation_offload", offloaded)) if not on]


def each_longest(
    case: Case, held: dict[str, int | None], lengths: tuple[int, ...], far: int | None
) -> list[dict[str, Any]]:
    """Every model of the question with its longest sequences, the smallest first; nothing for a single one.

    `far`: how far the first one stretches.
    """
    rows = [
        (slots["params_b"] or case.catalog.models[slots["model"]].params_total / BILLION, told)
        for (_, slots), told in zip(case.alternatives, other_lengths(case, lengths), strict=True)
        if slots["params_b"] or slots["model"] in case.catalog.models
    ]
    if not rows:
        return []
    own = {"name": case.model_name, "lean": held[case.stacks[0].code], "stock": held[case.stacks[-1].code]}
    own["stretched"] = far
    rows.append(((case.params or 0) / BILLION, own))
    return [told for _, told in sorted(rows, key=lambda row: row[0])]


def other_lengths(case: Case, lengths: tuple[int, ...]) -> list[dict[str, Any]]:
    """The longest sequence of each further model in the question, with the leanest and the last stack; `ram`: bytes of
    system RAM that even this takes, where all weights are offloaded and such machines have less.
    """
    made = []
    for name, slots in case.alternatives:
        found = [longest(case, stack, lengths, **slots) for stack in (case.stacks[0], case.stacks[-1])]
        more = stretched(case, lengths, found[0], **slots)
        if more and _ram_beyond(case, more, **slots | STRETCHED):
            more = None
        ram = _ram_beyond(case, found[0], **slots) if found[0] else None
        made.append({"name": name, "lean": found[0], "stock": found[1], "stretched": more, "ram": ram})
    return made


def _ram_beyond(case: Case, tokens: int, **slots: Any) -> int | None:
    """Bytes of system RAM where every weight is trained and a machine with these cards has less."""
    if not case.full or case.query.offload in (None, "none"):
        return None
    there = int(case.query.ram_gb * 1e9) if case.query.ram_gb else case.usual_ram
    ram = case.need(case.stacks[0], seq_len=tokens, **slots).host_ram
    return ram if there and ram > there else None
