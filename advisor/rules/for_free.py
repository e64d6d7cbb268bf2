"""No money, or the question whether one has to pay: what a free T4 trains, and for how long.

Source: facts/instances (Colab, Kaggle); faq/colab, faq/free-finetuning; estimator.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, GOOD, UNSLOTH
from advisor.topics.time_estimate import job, run_of

FREE = "t4"
LARGEST_B = 14
"""Size that the free card just holds with QLoRA on Unsloth (faq/colab)."""
KINDS = frozenset({Kind.WHICH_GPU, Kind.FITS_CHECK, Kind.COST_BUY_VS_RENT, Kind.HELP, Kind.FAQ_DEFINITION})
COSTLY = True

ON = ("no_money",)


def check(case: Case) -> Finding | None:
    """What trains for nothing."""
    if "no_money" not in case.symptoms or case.query.kind not in KINDS or case.query.budget:
        return None
    if any(gpu.segment != "datacenter" or gpu.id == FREE for gpu in case.gpus):
        return None  # a card of one's own costs nothing either; or the free one is named
    if not case.sized:
        return stop(need=None)
    gpu = case.catalog.gpus[FREE]
    bare = {"method": "qlora", "weight_bits": None, "quant": None, **ALL_ON_ONE}
    need = case.need(UNSLOTH, **bare, gpu=gpu.name)
    usable = usable_bytes(gpu)
    holds = case.fit(need, usable) in GOOD
    tokens, each, epochs = run_of(case)
    hours = job(case, gpu, tokens, each, epochs, (UNSLOTH,), **bare) if holds and case.query.dataset_examples else None
    told = {"examples": case.query.dataset_examples, "each": each, "epochs": epochs, "hours": hours}
    return stop(model=case.model_name, need=need.device, usable=usable, holds=holds, largest=LARGEST_B, **told)
