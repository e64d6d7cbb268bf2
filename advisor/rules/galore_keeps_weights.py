"""GaLore shrinks the optimizer's states; the weights stay, and without layer-wise steps the gradients do.

Source: GaLore, arXiv:2403.03507, sec. 5, and its README (a 7B in 22.8 GB: 8-bit states, layer-wise, rank 1024, 4,096
tokens a step); estimator.
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, GALORE_BY_LAYER, GOOD, PURE_BF16

ON = ("optimizer",)
COSTLY = True
KINDS = frozenset({Kind.FITS_CHECK, Kind.OOM_HELP, Kind.WHICH_GPU})


def check(case: Case) -> Finding | None:
    """What a run with GaLore takes, layer by layer and otherwise."""
    query = case.query
    galore = query.optimizer == "galore_adamw" and case.full and not case.no_bf16
    galore = galore and "optimizer" not in query.named  # several are set side by side
    if not galore or not case.sized or case.n_cards > 1 or case.query.kind not in KINDS:
        return None
    by_layer, whole = (case.need(stack, **ALL_ON_ONE) for stack in (GALORE_BY_LAYER, PURE_BF16))
    return stop(
        model=case.model_name,
        weights=by_layer.components.get("weights", 0),
        by_layer=by_layer.device,
        whole=whole.device,
        has=case.usable,
        fits=by_layer.fit in GOOD,
        fits_whole=whole.fit in GOOD,
        failed=bool(case.symptoms & FAILURES),
    )
