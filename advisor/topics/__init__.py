"""Topics: one file per kind of question, found by its name. `answer(case)` gives the Advice without its findings."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from advisor.advice import Advice
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.evaluating import evaluation_fills_ram
from advisor.parallel import eight_bit_unsplit, only_layered
from advisor.query import Kind
from advisor.refused import OTHERS
from advisor.saving import setting
from advisor.stacks import NO_TRAINERS
from advisor.topics import tricks

ABOUT_MEMORY = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE})
ABOUT_WAYS = frozenset({Kind.METHOD_CHOICE, Kind.TRAINER_CHOICE, Kind.MULTI_GPU, Kind.FAQ_DEFINITION})
ABOUT_SPEED = frozenset({Kind.OOM_HELP, Kind.TIME_ESTIMATE, Kind.MULTI_GPU, Kind.FITS_CHECK})
ABOUT_PACE = ABOUT_SPEED | {Kind.COST_BUY_VS_RENT, Kind.WHICH_GPU, Kind.DATA_SIZE_QUALITY, Kind.HELP}
HELPED = frozenset({Kind.OOM_HELP, Kind.FITS_CHECK})
CHOICES = frozenset({Kind.COMPARE_GPUS, Kind.WHICH_GPU})
CARD = frozenset({Kind.WHICH_GPU, Kind.FITS_CHECK})
KILLED = frozenset({Kind.MULTI_GPU, Kind.FITS_CHECK, Kind.CONTEXT_LENGTH})
FITS, WHICH, SEVERAL = frozenset({Kind.FITS_CHECK}), frozenset({Kind.WHICH_GPU}), frozenset({Kind.MULTI_GPU})
METHOD, TRAINER = frozenset({Kind.METHOD_CHOICE}), frozenset({Kind.TRAINER_CHOICE})
OOM, COST = frozenset({Kind.OOM_HELP}), frozenset({Kind.COST_BUY_VS_RENT})
DEFINITION = frozenset({Kind.FAQ_DEFINITION})
CONTEXT, TIME = frozenset({Kind.CONTEXT_LENGTH}), frozenset({Kind.TIME_ESTIMATE})
OTHERWISE = frozenset({Kind.TIME_ESTIMATE, Kind.COST_BUY_VS_RENT, Kind.INFERENCE_ONLY, Kind.OFF_TOPIC, Kind.HELP})
PAIR = 2
RUN, RAM = frozenset({Kind.INFERENCE_ONLY}), frozenset({Kind.SYSTEM_RAM})
WAYS = frozenset({"ddp", "fsdp", "zero2", "zero3", "tp", "pipeline"})


def answer(case: Case) -> Advice:
    """What the topic of the question's kind says."""
    return topic(route(case))(case)


@cache
def topic(kind: Kind) -> Callable[[Case], Advice]:
    """The answer function of a kind's file, imported when it is first asked for."""
    found: Callable[[Case], Advice] = import_module(f"{__name__}.{kind.value}").answer
    return found


def route(case: Case) -> Kind:
    """The topic that serves a question: a run that failed is helped first, a wish for cheaper or faster picks a
    card.
    """
    if case.query.show in ("cheaper", "faster"):
        return Kind.WHICH_GPU
    if (compared := _compared(case)) is not None:
        return compared
    kind = case.query.kind
    return next((to for to, when in _TURNS_OF[kind] if when(case)), kind)


def _failed(case: Case) -> bool:
    """A run is told of that did not hold."""
    return bool(case.symptoms & FAILURES)


def _no_quicker(case: Case) -> bool:
    """A trainer, and no second card, was to make it faster, and did not."""
    one = case.n_cards == 1 and len(case.gpus) < PAIR
    return bool(case.query.trainer and "no_gain" in case.symptoms and one and not _failed(case))


def _measured(case: Case) -> bool:
    """Model and card are known: what it takes can be set against what there is."""
    return bool(case.sized and case.usable)


TURNS: tuple[tuple[frozenset[Kind], Kind, Callable[[Case], object]], ...] = (
    # what a run showed: evaluating filled the RAM, it works, the kernel ended it, it died while generating
    (RAM | KILLED, Kind.OOM_HELP, evaluation_fills_ram),
    (CONTEXT, Kind.OOM_HELP, lambda c: "rollout_tp" in c.query.named and _failed(c)),
    (HELPED, Kind.FITS_CHECK, lambda c: "it_works" in c.symptoms and not _failed(c) and c.sized),
    (KILLED, Kind.SYSTEM_RAM, lambda c: "killed" in c.symptoms),
    (OOM, Kind.INFERENCE_ONLY, lambda c: "oom_generate" in c.symptoms and not (c.query.algorithm or c.query.method)),
    # what a setting saves
    (frozenset(Kind) - OTHERWISE, Kind.OOM_HELP, lambda c: setting(c) is not None),
    # a choice between cards
    (CHOICES, Kind.COST_BUY_VS_RENT, lambda c: "no_gpu_found" in c.symptoms and c.query.candidates and not c.sized),
    (CARD, Kind.COMPARE_GPUS, lambda c: len(c.query.candidates) > 1 and c.card is None),
    (METHOD, Kind.COMPARE_GPUS, lambda c: len(c.query.gpus) > 1 and not (c.sized or c.query.named or c.query.method)),
    (HELPED, Kind.TRAINER_CHOICE, tricks.are_asked),
    (ABOUT_SPEED, Kind.TRAINER_CHOICE, _no_quicker),
    # the choice is made, and the run with it failed
    (METHOD, Kind.OOM_HELP, lambda c: c.query.method and _failed(c) and _measured(c)),
    (TRAINER, Kind.OOM_HELP, lambda c: (c.query.seen_gib and not tricks.are_asked(c)) or _failed(c)),
    # one card alone: whether it holds the run, or why it takes what is seen
    (SEVERAL, Kind.FITS_CHECK, lambda c: c.query.n_gpus == 1 and _alone(c)),
    (SEVERAL, Kind.OOM_HELP, lambda c: c.query.n_gpus is None and c.query.seen_gib and _alone(c)),
    # hours and the price of an hour: a bill
    (RUN | {Kind.HELP, Kind.OFF_TOPIC}, Kind.COST_BUY_VS_RENT, lambda c: c.query.hourly and c.query.took_hours),
    # a list of parts: whether its cards hold the run
    (
        RAM | WHICH | COST | SEVERAL,
        Kind.FITS_CHECK,
        lambda c: "parts_list" in c.symptoms and _measured(c) and not _failed(c),
    ),
    # a file made for running is to be trained
    (RUN | {Kind.HELP, Kind.OFF_TOPIC}, Kind.METHOD_CHOICE, lambda c: "gguf_is_not_trainable" in c.claims),
    (RAM, Kind.OOM_HELP, lambda c: c.apple and _failed(c) and "killed" not in c.symptoms),  # one memory for all
    # it is to be run as well: what training takes comes first
    (RUN, Kind.FITS_CHECK, lambda c: "asks_run" in c.symptoms and _measured(c)),
    # another wish stands beside it
    (WHICH, Kind.COST_BUY_VS_RENT, lambda c: c.query.budget and c.query.providers and not c.gpus),
    (
        COST,
        Kind.COMPARE_GPUS,
        lambda c: "asks_enough" in c.symptoms and len(c.query.candidates) > 1 and not _reckons(c),
    ),
    (CONTEXT, Kind.FITS_CHECK, lambda c: "asks_through" in c.symptoms and c.query.seq_len is None and _measured(c)),
    (FITS, Kind.WHICH_GPU, lambda c: "asks_cheapest" in c.symptoms and c.sized and not c.gpus and not _failed(c)),
    (COST, Kind.WHICH_GPU, lambda c: "asks_cheapest" in c.symptoms and c.sized and not c.cards),
    (COST, Kind.WHICH_GPU, lambda c: not c.sized and len(c.gpus) == 1 and c.no_bf16 and not _reckons(c)),
    (COST, Kind.WHICH_GPU, lambda c: "stays_home" in c.symptoms and c.query.budget and not c.gpus),
    (SEVERAL, Kind.TRAINER_CHOICE, lambda c: c.query.also is Kind.TRAINER_CHOICE and c.query.trainer and not c.sized),
    (SEVERAL, Kind.COMPARE_GPUS, lambda c: len(c.query.candidates) > 1 and c.usable is None),
    (HELPED, Kind.WHICH_GPU, lambda c: c.query.also is Kind.WHICH_GPU and _failed(c) and _measured(c)),
    (FITS, Kind.MULTI_GPU, eight_bit_unsplit),
    (FITS, Kind.MULTI_GPU, lambda c: only_layered(c) and not _failed(c)),
    (FITS | SEVERAL, Kind.SYSTEM_RAM, lambda c: c.query.offload == "nvme" and c.full and c.sized and not _failed(c)),
    # a run that failed
    (RAM, Kind.OOM_HELP, lambda c: c.query.trainer in NO_TRAINERS and _failed(c) and "killed" not in c.symptoms),
    (SEVERAL, Kind.OOM_HELP, lambda c: _failed(c) and _measured(c) and "uses_jax" not in c.symptoms),
    (FITS, Kind.OOM_HELP, lambda c: _failed(c) and (c.usable or not c.sized)),
    (TIME, Kind.OOM_HELP, lambda c: _failed(c) and c.query.also is Kind.OOM_HELP),
    (CONTEXT, Kind.OOM_HELP, lambda c: "asks_padding" in c.symptoms and _failed(c) and c.query.seq_len is None),
    (WHICH, Kind.OOM_HELP, lambda c: _failed(c) and not c.sized),
    # is what is seen normal?
    (FITS, Kind.OOM_HELP, lambda c: "asks_normal" in c.symptoms and c.sized and (c.usable or not _failed(c))),
    (ABOUT_MEMORY, Kind.OOM_HELP, lambda c: c.query.seen_gib and c.query.claimed_gib and c.sized),
    # what else is told decides: a trainer on a rarer card, data, hours a week, money
    (ABOUT_MEMORY, Kind.TRAINER_CHOICE, lambda c: c.query.trainer and c.query.vendor in OTHERS and not c.sized),
    (FITS, Kind.DATA_SIZE_QUALITY, lambda c: not c.sized and not c.cards and c.query.dataset_examples),
    (CARD, Kind.COST_BUY_VS_RENT, lambda c: c.query.hours_per_week and c.gpus),
    (FITS, Kind.COST_BUY_VS_RENT, lambda c: c.query.budget and c.sized and (c.query.dataset_examples or _rents(c))),
    (DEFINITION, Kind.FITS_CHECK, lambda c: c.query.seen_gib and _measured(c)),
)
"""(kinds of question, the topic that serves them, when): the first that holds; else the topic of the kind itself."""
_TURNS_OF = {kind: tuple((to, when) for kinds, to, when in TURNS if kind in kinds) for kind in Kind}


def _compared(case: Case) -> Kind | None:
    """The topic that judges a speed, or sets the named methods, optimizers or splits side by side."""
    query, named = case.query, case.query.named
    two_speeds = len(named.get("seen_s_per_step", ())) > 1
    several = case.n_cards > 1 or (query.also is Kind.MULTI_GPU and not case.gpus)
    on_more = "hours_on" in named  # the same job on one number of cards and on another
    if query.kind in ABOUT_SPEED and (on_more or (several and (two_speeds or "no_gain" in case.symptoms))):
        return Kind.MULTI_GPU
    if query.kind in ABOUT_WAYS and len(WAYS.intersection(named.get("sharding", ()))) > 1:
        return Kind.MULTI_GPU
    seen = query.seen_tokens_per_s or query.seen_s_per_step
    if query.kind in ABOUT_SPEED and seen and not case.symptoms & FAILURES:
        return Kind.TIME_ESTIMATE
    if query.done_share and query.kind in ABOUT_PACE and not _failed(case):
        return Kind.TIME_ESTIMATE
    bits = len(named.get("weight_bits", ())) > 1 and query.kind in CARD
    if bits and _measured(case) and not (case.symptoms & FAILURES or (case.model and case.model.moe)):
        return Kind.METHOD_CHOICE
    optimizers = len(named.get("optimizer", ())) > 1 and query.kind in (*ABOUT_MEMORY, Kind.OOM_HELP)
    if optimizers and case.sized and query.method == "full" and not (case.symptoms & FAILURES or query.sharding):
        return Kind.METHOD_CHOICE
    if not case.sized or query.method is not None or query.lora_rank:
        return None
    methods = len(named.get("method", ())) > 1 and query.kind in ABOUT_MEMORY
    return Kind.METHOD_CHOICE if methods or optimizers else None


def _alone(case: Case) -> bool:
    """Model and one card are known, and nothing is split or compared."""
    return _measured(case) and case.n_cards == 1 and not (case.query.sharding or case.query.candidates or _failed(case))


def _reckons(case: Case) -> bool:
    """The question has money or hours to reckon with."""
    query = case.query
    return bool(query.budget or query.hourly or query.hours_per_week or query.providers or query.max_hours)


def _rents(case: Case) -> bool:
    """All cards in the question are of the kind that is rented."""
    return bool(case.gpus) and case.tensor_cores and all(gpu.segment == "datacenter" for gpu in case.gpus)
