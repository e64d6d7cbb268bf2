"""The answer path, as rows: tests/bench/answer_path.py has the same in more detail."""

from tests.bench import answer_path
from tests.bench.table import Row, percentile


async def rows(quick: bool) -> list[Row]:
    """CPU of a cold `whichgpu ask`, and of warm answers."""
    cold = answer_path.cold_seconds()
    texts = answer_path.questions(None)
    answer_path.seconds_each(texts)
    rounds = 1 if quick else answer_path.ROUNDS
    fresh = [s for n in range(rounds) for s in answer_path.seconds_each(answer_path.varied(texts, n))]
    again = [s for _ in range(rounds) for s in answer_path.seconds_each(texts)]
    found = [Row("`whichgpu ask`, a fresh process, CPU", f"{cold[len(cold) // 2] * 1000:.0f} ms")]
    for name, spent in (("set-ups not seen before", fresh), ("the same questions again", again)):
        at = [percentile(spent, share) * 1000 for share in (0.5, 0.99)]
        figure = f"p50 {at[0]:.2f} ms, p99 {at[1]:.2f} ms, {len(spent) / sum(spent):.0f}/s a core"
        found.append(Row(f"read, advise, render: {name}", figure))
    return found
