"""How fast questions are read: readings a second on one core, and the slowest of long messages.

usage: python -m tests.bench.reading [SECONDS]

Prints figures and asserts nothing: what a machine is busy with besides is not ours. The best of many short rounds is
nearest to what the code costs.
"""

import gc
import random
import sys
from itertools import cycle, islice
from time import perf_counter, process_time

import yaml

from bot.messages import Question
from bot.parser import read
from tests.paths import ROOT

ROUND = 100
TRIES = 3
"""Readings of each long message; the quickest counts."""
LONG = 2_000
"""Characters of a long message: what Discord takes."""


def typical() -> list[str]:
    """Sentences of the corpus, in both languages."""
    found = []
    for language in ("en", "de"):
        corpus = yaml.safe_load((ROOT / "tests" / "corpus" / f"{language}.yaml").read_text(encoding="utf-8"))
        found += [text for entry in corpus["questions"] for text in entry["say"]]
    return found


def took(question: Question) -> float:
    """Seconds of processor time for one reading."""
    start = process_time()
    read(question)
    return process_time() - start


def main(seconds: float) -> None:
    """Measures and prints."""
    texts = typical()
    questions = [Question(text=text) for text in texts]
    for question in questions:
        read(question)
    gc.collect()
    gc.freeze()
    rounds = []
    supply = cycle(questions)
    until = perf_counter() + seconds
    while perf_counter() < until:
        batch = list(islice(supply, ROUND))
        start = process_time()
        for question in batch:
            read(question)
        rounds.append(ROUND / (process_time() - start))
    rounds.sort()
    print(
        f"typical questions ({len(texts)}): {rounds[-1]:,.0f} readings/s best, {rounds[len(rounds) // 2]:,.0f} median"
    )
    chance = random.Random(1)
    times = []
    for _ in range(1_000):
        question = Question(text=" ".join(chance.choices(texts, k=60))[:LONG])
        times.append(min(took(question) for _ in range(TRIES)))
    times.sort()
    print(
        f"messages of {LONG:,} characters: {times[len(times) // 2] * 1e3:.2f} ms median, "
        f"{times[int(len(times) * 0.999)] * 1e3:.2f} ms at the 99.9th percentile"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
