"""What was seen against the estimate: a time, or a speed."""

from typing import Any

from advisor.asked import FAILURES
from advisor.case import Case
from advisor.topics.time_estimate.jobs import EXAMPLES

SOONEST, LATEST = 0.4, 2.0
"""Times that are plausible, as multiples of the shortest and the longest estimate."""
QUICK = 0.8
"""Share of the shortest estimate below which a time is quick: the examples are short, or packed."""
SLOW = 0.8
"""Share of the slowest speed that we estimate below which a speed that was seen is called slow."""
FLOP_FULL, FLOP_ADAPTERS = 6, 4
"""Per parameter at work and token: forward 2, gradients of activations 2, of weights 2 (Kaplan, arXiv:2001.08361)."""
WINDOWS = frozenset({"until_morning", "at_weekend", "within_days", "asks_through"})
"""Signs that hours are there for a run to come."""
OF_A_RUN = FAILURES | {"slow", "asks_normal", "gets_slower", "overfit", "forgets", "too_fast", "no_gain", "loss_flat"}
"""Signs that they are those of a run that was."""
ENOUGH = 3
"""Epochs that are usually enough (docs of Unsloth: 1 to 3)."""
USUAL_ACCUM = 8
"""Accumulation as recipes set it, for scale where nobody told it."""
HARDLY_ANY = 200
"""Examples below which a run has hardly read any data."""


def told_hours(case: Case) -> float | None:
    """Hours of the asker's run; else those that somebody else's is said to have taken; none that are there for one."""
    if not case.symptoms.isdisjoint(WINDOWS) and case.symptoms.isdisjoint(OF_A_RUN):
        return None
    theirs = case.query.named.get("their_hours", ())
    return case.query.took_hours or (float(theirs[0]) if theirs else None)


def claimed(case: Case, tokens: int | None, epochs: float) -> float | None:
    """Tokens per second that a time comes to which somebody else told; None where the asker saw it."""
    theirs = case.query.named.get("their_hours", ())
    return tokens * epochs / float(theirs[0]) / 3600 if tokens and theirs and not case.query.took_hours else None


def judged(took: float | None, hours: tuple[float, float] | None, table: list[dict[str, Any]]) -> dict[str, Any]:
    """Whether a time that was seen (hours) is plausible; without data, how many examples it stands for."""
    if not took:
        return {}
    if hours:
        late = "too_slow" if took > LATEST * hours[1] else "quick" if took < hours[0] * QUICK else "plausible"
        return {"judged": "too_fast" if took < SOONEST * hours[0] else late, "beyond": took > hours[1]}
    usual = next((row for row in table if row.get("examples") == EXAMPLES[1]), None)
    if usual is None:
        return {}
    implied = tuple(took / usual["hours"][end] * usual["examples"] for end in (1, 0))
    return {"implied": implied, "judged": "too_fast" if implied[1] < HARDLY_ANY else "implied"}


def seen_speed(case: Case, each: int) -> tuple[float, float] | None:
    """Tokens per second that were seen, or that a step comes to: with examples of usual and of full length."""
    query = case.query
    if query.seen_tokens_per_s:
        return (query.seen_tokens_per_s, query.seen_tokens_per_s)
    if not query.seen_s_per_step:
        return None
    rate = case.micro_batch * (query.grad_accum or 1) * case.n_cards / query.seen_s_per_step
    return (each * rate, (each if query.tokens_per_example else max(each, query.seq_len or each)) * rate)


def judged_speed(case: Case, seen: tuple[float, float] | None, speed: tuple[float, float] | None) -> dict[str, Any]:
    """How tokens per second that were seen stand to the estimate: normal, good, slow or fast; and the seconds that a
    step should take, where a step was seen.
    """
    if not seen or speed is None:
        return {}
    late = "slow" if seen[1] < SLOW * speed[0] else "good" if seen[0] > speed[1] else "normal"
    steps = bool(case.query.seen_s_per_step and not case.query.seen_tokens_per_s)
    facts: dict[str, Any] = {
        "seen_speed": seen,
        "judged": "speed_fast" if seen[0] > LATEST * speed[1] else f"speed_{late}",
        "accum_unsaid": steps and case.query.grad_accum is None,
    }
    if not steps and (limit := _arithmetic(case, seen[0])) is not None:
        facts |= {"judged": "speed_impossible", "arithmetic": limit}
    return facts | (_step(case, speed) if steps else {})


def _arithmetic(case: Case, rate: float) -> dict[str, float] | None:
    """FLOP of a token and TFLOP/s that a speed comes to, where that is more than the cards do at the very most."""
    gpu = case.gpu
    dense = (gpu.bf16_dense_tflops or gpu.fp16_dense_tflops) if gpu else None
    if gpu is not None and case.query.compute_dtype in ("fp8", "float8"):
        dense = gpu.fp8_dense_tflops or dense
    if not dense:
        return None
    flop = (FLOP_FULL if case.full else FLOP_ADAPTERS) * (case.setup.params_active or case.setup.params)
    wants, has = rate * flop / 1e12, dense * case.n_cards
    return {"gflop": flop / 1e9, "wants": wants, "has": has} if wants > has else None


def _rounds(case: Case, read: int) -> dict[str, Any] | None:
    """Epochs that the told steps come to over the told examples, where that is, or with accumulation would be, more
    than few data bear.
    """
    query = case.query
    epochs = read / query.dataset_examples if query.dataset_examples else 0.0
    often = USUAL_ACCUM * epochs if query.grad_accum is None else None
    if query.epochs is not None or (often or epochs) <= ENOUGH:
        return None
    return {"examples": query.dataset_examples, "epochs": epochs, "often": often, "accum": USUAL_ACCUM}


def _step(case: Case, speed: tuple[float, float]) -> dict[str, Any]:
    """A step as it was seen and as it should be, in seconds, with examples of full or of the stated length; and the
    card beside it that is said to be as fast.
    """
    query = case.query
    tokens = query.tokens_per_example or case.seq_len
    sequences = case.micro_batch * (query.grad_accum or 1) * case.n_cards
    others = [card.name for option in query.candidates for card in case.resolve_cards(option) if card.name]
    told = int(query.named.get("steps", ("0",))[0])
    hours = told * (query.seen_s_per_step or 0) / 3600
    return {
        "seen_step": query.seen_s_per_step,
        "steps": told or None,
        "steps_hours": (hours, hours),
        "rounds": _rounds(case, told * sequences),
        "short": (query.seen_s_per_step or 0) < sequences * tokens / speed[1],
        "step": (sequences * tokens / speed[1], sequences * tokens / speed[0]),
        "step_tokens": tokens,
        "step_sequences": sequences,
        "beside": others[0] if others else None,
    }
