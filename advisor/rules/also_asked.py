"""The second need of a message: how long or how fast, how large a batch, how much data, which trainer, what running it
takes; one sentence beside the answer.

Source: estimator (speed); S53 (about 1,000 curated examples); inference_only (bytes of a 4-bit file).
"""

from itertools import takewhile

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.lengths import longest
from advisor.query import Kind
from advisor.rules import in_time
from advisor.stacks import GOOD, Stack, fit_of
from advisor.topics.inference_only import ROOM, RUN_4_BIT
from advisor.topics.time_estimate import EXAMPLES, job, run_of
from advisor.topics.trainer_choice import choose

BATCHES = (1, 2, 4, 8, 16, 32, 64)
MEMORY = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.MULTI_GPU, Kind.CONTEXT_LENGTH, Kind.MIXED})
COSTLY = True


def check(case: Case) -> Finding | None:
    """The second need of a message, in one sentence."""
    if case.advice is None or case.advice.verdict.code == "no_gain":
        return None
    runs = case.query.also is Kind.INFERENCE_ONLY or "asks_run" in case.symptoms
    if runs and case.sized and case.advice.kind in (*MEMORY, Kind.METHOD_CHOICE):
        return _running(case)
    if case.advice.kind not in MEMORY:
        return None
    if "asks_batch" in case.symptoms and case.query.micro_batch is None:
        return _batch(case)
    if "asks_speed" in case.symptoms or case.query.also is Kind.TIME_ESTIMATE:
        return None if in_time.check(case) is not None else hours_beside(case)
    if case.query.also is Kind.DATA_SIZE_QUALITY and not (case.query.dataset_examples or case.query.dataset_tokens):
        language = "new_language" in case.symptoms
        return warn(what="data", rollouts=case.query.algorithm == "grpo", language=language)
    if case.query.also is Kind.TRAINER_CHOICE and case.query.trainer is None:
        pick, second, _ = choose(case)
        return warn(what="trainer", pick=pick, second=second)
    return None


def hours_beside(case: Case) -> Finding | None:
    """Hours for the stated, or a usual, amount of data on the asker's card."""
    if case.gpu is None or not case.sized:
        return None
    tokens, each, epochs = run_of(case)
    examples = None if case.query.dataset_tokens else case.query.dataset_examples or EXAMPLES[1]
    hours = job(case, case.gpu, tokens, each, epochs)
    if hours is None:
        return None
    speed = (tokens * epochs / hours[1] / 3600, tokens * epochs / hours[0] / 3600)
    what = "speed" if "asks_speed" in case.symptoms else "time"
    told = {"examples": examples, "tokens": tokens, "each": each, "epochs": epochs}
    return warn(what=what, hours=hours, speed=speed, **told)


def _running(case: Case) -> Finding:
    """What running takes in 4 and in 16 bit, further models as well, and whether the asker's cards hold it."""
    small, large = _weights(case.params or 0)
    room = (case.usable or 0) * case.n_cards
    fits = [fit_of(int(size * ROOM), size, room) if room else None for size in (small, large)]
    others = [(name, *_weights(case.plan(case.stacks[0], **slots).shape.params)) for name, slots in case.alternatives]
    card = case.card.name if case.card else ""
    return warn(what="run", weights=small, whole=large, fit=fits[0], fit_16=fits[1], others=others, card=card)


def _weights(params: int) -> tuple[int, int]:
    """Bytes in 4 and in 16 bit, as people run it."""
    return int(params * RUN_4_BIT), 2 * params


def _batch(case: Case) -> Finding | None:
    """The largest batch per card on the leanest and on the plainest stack."""
    if case.usable is None or not case.sized:
        return None
    ends = (case.stacks[0], case.stacks[-1])
    if case.advice is not None and case.advice.verdict.code == "experts" and case.lean.fit == "tight":
        return warn(what="one", tokens=case.seq_len)
    held = [_largest(case, stack) for stack in ends]
    if not held[0]:
        return None
    lengths = [longest(case, stack) if case.query.seq_len is None else None for stack in ends]
    facts = {"lean": held[0], "stock": held[1], "stacks": [stack.code for stack in ends], "lengths": lengths}
    alone = case.query.also is None and case.lean.fit == "yes"  # that it fits goes without saying
    speak = stop if alone and case.advice is not None and case.advice.verdict.code == "yes" else warn
    return speak(what="batch", tokens=case.seq_len, **facts)


def _largest(case: Case, stack: Stack) -> int:
    fits = takewhile(lambda batch: case.need(stack, micro_batch=batch).fit in GOOD, BATCHES)
    return max(fits, default=0)
