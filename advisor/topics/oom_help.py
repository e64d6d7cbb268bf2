"""Out of memory: the cause first, then the fixes in order with the bytes that each saves.

Verdict: killed, disk, spill, load, eval, save, generate, later, fragmented, too_big, preference, length, should_fit, unsized.
Facts: lean, stock, usable, card, count, part and part_bytes (the largest component on the shown stack), tokens (per step and card),
load_16 and load_32 (bytes of the weights in 16 and 32 bit), weights (bytes as this method holds them), host_ram.
"""

from typing import Any

from advisor.advice import Advice, Need, Rung, Verdict
from advisor.case import Case
from advisor.changes import make_it_fit, make_room
from advisor.options import GOOD
from advisor.query import Kind
from advisor.tiers import smallest

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
PREFERENCE = frozenset({"dpo", "orpo", "kto", "simpo", "cpo", "reward"})
ROLLOUTS = frozenset({"grpo", "ppo", "rloo", "gspo", "dapo"})


def answer(case: Case) -> Advice:
    """Advice on a run that ran out of memory."""
    if not case.sized:
        code = cause(case, None)
        facts = {
            "card": case.card.name if case.card else "",
            "card_gb": case.card.vram_gb if case.card else None,
            "count": case.n_cards,
        }
        return Advice(
            kind=Kind.OOM_HELP,
            query=case.query,
            verdict=Verdict(code=code, facts=facts),
            asks="model",
            offers=("params_b=8", "params_b=14", "seq_len=2048", "kind=system_ram"),
        )
    needs = case.needs()
    shown = needs[-1]
    part, part_bytes = largest_part(shown)
    params = case.params or 0
    facts: dict[str, Any] = {
        "lean": needs[0].device,
        "stock": shown.device,
        "usable": case.usable,
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "count": case.n_cards,
        "part": part,
        "part_bytes": part_bytes,
        "tokens": case.seq_len * case.micro_batch,
        "load_16": 2 * params,
        "load_32": 4 * params,
        "weights": shown.components.get("weights", 0),
        "host_ram": shown.host_ram,
        "algorithm": case.query.algorithm,
        "minimum_gb": smallest(case, needs[0]),
        "seq_len_stated": case.query.seq_len is not None,
        "fit": shown.fit,
        "lean_fit": needs[0].fit,
    }
    code = cause(case, shown)
    too_big = shown.fit is not None and shown.fit not in GOOD
    return Advice(
        kind=Kind.OOM_HELP,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup,
        needs=needs,
        rungs=_ladder(case) if case.query.seq_len is None else (),
        changes=make_it_fit(case) if too_big else make_room(case, 3) if code not in ("killed", "disk") else (),
        asks="seq_len" if case.query.seq_len is None else "gpus" if case.usable is None else None,
        offers=("show=fit", "seq_len=1024", "micro_batch=1", "show=why", "show=config", "kind=system_ram"),
    )


def cause(case: Case, shown: Need | None) -> str:
    """The most likely cause, from the symptom first and the numbers second."""
    for symptom, code in BY_SYMPTOM:
        if symptom in case.symptoms:
            return code
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
        return "unsized"
    return "length" if case.query.seq_len is None else "should_fit"


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
