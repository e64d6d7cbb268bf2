"""Out of memory: the cause first, then the fixes in order with the bytes that each saves.

Verdict: states, disk, spill, shared, adapter (what was trained is loaded), load, moe_load, eval, save, generate,
later, fragmented, too_big, preference, needs, method, close, length, should_fit, too_much, normal, less (seen below
our count), contrast (one thing works, another fails), another (what another model was seen to take, and this one
takes more); saving (what one setting saves, saving.py); without a model: traceback, calculated, no_error, unsized.
Facts (facts.py, by_cause.py): lean, stock, usable, card, count, copies (each card holds all weights), parts (largest
components on the shown stack), standing (bytes that no batch shrinks), tokens (per step and card), load_16 and load_32
(bytes of the weights in 16 and 32 bit), load_on_0 (of every rank's copy, where one card does not hold them), weights
and weights_lean (bytes as this method holds them); of a set-up that should fit: limit (tokens), alone,
copied, default_batch (bytes), suspects and listed (with what no figure tells); by_design (vLLM only fills the card),
pool (what vLLM holds).
"""

from advisor.advice import Advice, Change, Need, Rung, Verdict
from advisor.case import Case
from advisor.changes import make_it_fit, make_room
from advisor.evaluating import evaluation_fills_ram
from advisor.lengths import hangs_on_length
from advisor.query import Kind
from advisor.saving import saving
from advisor.stacks import GOOD
from advisor.topics import system_ram
from advisor.topics.oom_help import facts
from advisor.topics.oom_help.by_cause import longest_pair, of_cause
from advisor.topics.oom_help.cause import CLOSE, cause, failed, full_card, huge_block, wider_weights
from advisor.topics.oom_help.contrast import beside_another
from advisor.topics.oom_help.generating import by_design, of_several

__all__ = ["CLOSE", "answer", "cause", "failed", "full_card", "huge_block", "wider_weights"]

LADDER = (512, 2048, 4096, 8192)
ASKS_LENGTH = frozenset(
    {"close", "needs", "length", "later", "too_big", "preference", "generate", "should_fit", "method"}
)
"""Causes in which the length of the longest example decides."""
LISTS = frozenset({"should_fit", "length", "method"})
"""Causes whose answer is a list of suspects: what saves most is beside the point."""
OTHER_PEAKS = frozenset({"adapter", "load", "moe_load", "eval", "save", "disk", "states"})
"""Causes outside of the training step: what shrinks that is beside the point."""
MORE_ROOM = 3
ASKS_NOTHING = frozenset(
    {
        "adapter",
        "calculated",
        "disk",
        "eval",
        "fragmented",
        "later",
        "no_error",
        "preference",
        "save",
        "shared",
        "spill",
    }
)
"""Causes without a model whose cure is the same for every model, or that ask for all there is."""


def answer(case: Case) -> Advice:
    """Advice on a run that ran out of memory; of system RAM, where the kernel ended it or the offload outgrew that."""
    if not evaluation_fills_ram(case) and ("killed" in case.symptoms or system_ram.ram_ran_out(case)):
        return system_ram.answer(case)
    if (saved := saving(case)) is not None:
        return Advice(
            kind=Kind.OOM_HELP,
            query=case.query,
            verdict=Verdict(code="saving", facts=facts.sized(case, case.plain) | saved),
            setup=case.setup,
            needs=case.needs(),
            offers=("seq_len=8192", "micro_batch=1", "show=why", "show=fit"),
        )
    if not case.sized:
        code = cause(case, None)
        return Advice(
            kind=Kind.OOM_HELP,
            query=case.query,
            verdict=Verdict(code=code, facts=facts.unsized(case)),
            asks=None if code in ASKS_NOTHING else "model",
            offers=("params_b=8", "params_b=14", "seq_len=2048", "kind=system_ram"),
        )
    shown = case.needs()[-1 if failed(case) else 0]
    code = cause(case, shown)
    code, told = beside_another(case, code)
    own = of_cause(case, code)
    return Advice(
        kind=Kind.OOM_HELP,
        query=case.query,
        verdict=Verdict(code=code, facts=facts.sized(case, shown) | own | {"contrast": told}),
        setup=case.setup,
        needs=case.needs(),
        rungs=_ladder(case) if _by_length(case, code) else (),
        changes=() if own.get("held") else _changes(case, shown, code),
        asks="script" if own.get("script") else _asks(case, code),
        offers=("show=fit", "seq_len=1024", "micro_batch=1", "show=why", "show=config", "kind=system_ram"),
    )


def _by_length(case: Case, code: str) -> bool:
    """Whether a ladder of lengths says what one figure, or a limit, cannot."""
    if case.query.seq_len is not None or code not in ASKS_LENGTH - {"method"} - LISTS or facts.only_infers(case):
        return False
    if _other_than_length(case, code):
        return False
    return not (case.usable and (code in ("close", "later") or (code == "preference" and longest_pair(case))))


def _other_than_length(case: Case, code: str) -> bool:
    """vLLM fills the card as it should, a Mac generates beside training, or a figure is of split weights: what a step
    takes at a length says nothing of that.
    """
    return code == "generate" and (facts.on_a_mac(case) or by_design(case) or of_several(case))


def _changes(case: Case, shown: Need, code: str) -> tuple[Change, ...]:
    """What makes it fit; where it fits, what makes room, unless the answer names suspects instead; nothing where the
    training step is not the peak.
    """
    if code in OTHER_PEAKS or facts.only_infers(case) or _other_than_length(case, code):
        return ()
    if shown.fit is not None and shown.fit not in GOOD:
        return make_it_fit(case, case.stacks[case.needs().index(shown)])
    return make_room(case, MORE_ROOM) if code in (ASKS_LENGTH - LISTS) | {"fragmented"} else ()


def _asks(case: Case, code: str) -> str | None:
    if code == "method":
        return None if huge_block(case) else "method"
    if facts.only_infers(case) or _other_than_length(case, code):
        return None
    if code == "needs" and case.usable is None:
        return "gpus"
    if case.query.seq_len is None and case.usable and code in ASKS_LENGTH - {"should_fit"}:
        return "seq_len" if hangs_on_length(case, case.stacks[-1 if failed(case) else 0]) else None
    return "gpus" if case.usable is None and code in ASKS_LENGTH else None


def _ladder(case: Case) -> tuple[Rung, ...]:
    """What each length takes; nothing where none of them fits."""
    rungs = []
    for length in LADDER:
        if length <= case.max_context:
            row = tuple(case.need(stack, seq_len=length) for stack in case.stacks)
            rungs.append(
                Rung(value=length, needs=tuple(n.device for n in row), fits=tuple(n.fit for n in row if n.fit))
            )
    fits = [fit for rung in rungs for fit in rung.fits]
    return tuple(rungs) if not fits or any(fit in GOOD for fit in fits) else ()
