"""The table for a question without a model: which sizes train on which cards, or on the asker's card. Asks for the
model.
"""

from advisor.advice import Advice, Rung, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import BILLION, TRL, UNSLOTH, Stack, size_name
from advisor.tiers import smallest

SIZES_B = (3, 8, 14, 32, 70)
"""The sizes that most models come in, in 1e9 parameters."""


def sizes_table(case: Case, kind: Kind) -> Advice:
    """Needs of common sizes at the stated method and length, with the smallest card for each and the verdict on
    the asker's.
    """
    stacks: tuple[Stack, ...] = (UNSLOTH, TRL) if len(case.stacks) != 1 else case.stacks
    if case.full or case.apple:
        stacks = case.stacks
    rungs = []
    first = None
    for size in SIZES_B:
        needs = tuple(case.need(stack, params_b=float(size), n_gpus=1, sharding="none") for stack in stacks)
        first = first or needs
        rungs.append(
            Rung(
                value=size * BILLION,
                needs=tuple(n.device for n in needs),
                fits=tuple(n.fit for n in needs if n.fit),
                smallest_gb=tuple(smallest(case, n) for n in needs),
            )
        )
    largest = max((r.value for r in rungs if r.fits and r.fits[0] in ("yes", "tight")), default=None)
    facts = {
        "method": case.method,
        "seq_len": case.seq_len,
        "stacks": [s.code for s in stacks],
        "card": case.card.name if case.card else None,
        "count": case.n_cards,
        "card_gb": case.card.vram_gb if case.card else None,
        "usable": case.usable,
        "largest": size_name(largest) if largest else None,
    }
    code = "what_trains" if case.card else "no_model"
    return Advice(
        kind=kind,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        needs=first or (),
        rungs=tuple(rungs),
        asks="model",
        offers=("params_b=8", "params_b=14", "params_b=32", "params_b=70"),
    )
