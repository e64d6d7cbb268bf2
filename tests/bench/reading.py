"""How fast questions are read: readings a second on one core, and the slowest of long messages of many kinds.

usage: python -m tests.bench.reading [SECONDS]

Prints figures and asserts nothing: what a machine is busy with besides is not ours. The best of many short rounds is
nearest to what the code costs; so is the sum of what each question took at its quickest.
"""

import gc
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from time import perf_counter, process_time

import yaml

from bot.messages import Question
from bot.parser import read
from tests.fuzz.messages import PIECES, REPEATED
from tests.paths import ROOT

ROUND = 100
TRIES = 3
"""Readings of each long message; the quickest counts."""
LONG = 2_000
"""Characters of a long message: what Discord takes."""
MESSAGES = 200
"""Long messages of a kind."""
NUMBERS = ("{}", "{} gb", "{}x", "{}k", "{},", "{}b", "{}/", "{}.5", "rtx {}", "{} gb ram", "${}", "{} h", "{}%")
FIGURES = (1, 2, 4, 8, 24, 48, 3090, 4090, 7, 13, 70, 2048, 100, 99_999)
SCRIPTS = ((0x20, 0x7F), (0xA0, 0x3000), (0x3000, 0xA000), (0xAC00, 0xD7A3), (0xFF00, 0xFFEF), (0x1F300, 0x1F700))


def typical() -> list[str]:
    """Sentences of the corpus, in both languages."""
    found = []
    for language in ("en", "de"):
        corpus = yaml.safe_load((ROOT / "tests" / "corpus" / f"{language}.yaml").read_text(encoding="utf-8"))
        found += [text for entry in corpus["questions"] for text in entry["say"]]
    return found


def pastes() -> list[str]:
    """Configurations, logs and tracebacks."""
    files = sorted((ROOT / "tests" / "pasted").glob("*.md"))
    return [file.read_text(encoding="utf-8").split("---\n", 2)[2] for file in files]


def long_messages() -> Mapping[str, Iterator[str]]:
    """Kind of content → messages of LONG characters."""
    chance = random.Random(1)
    sentences, pasted = typical(), pastes()
    repeated = iter([unit * (LONG // len(unit) + 1) for unit in (*REPEATED, *PIECES)])

    def made(piece: Callable[[], str]) -> Iterator[str]:
        while True:
            text = ""
            while len(text) < LONG:
                text += piece()
            yield text[:LONG]

    def strange() -> str:
        return "".join(chr(chance.randrange(*chance.choice(SCRIPTS))) for _ in range(20)) + " "

    return {
        "prose": made(lambda: chance.choice(sentences) + " "),
        "pastes": made(lambda: chance.choice(pasted) + "\n"),
        "prose and pastes": made(lambda: chance.choice((chance.choice(sentences), chance.choice(pasted))) + "\n"),
        "numbers": made(lambda: chance.choice(NUMBERS).format(chance.choice(FIGURES)) + chance.choice((" ", ", ", ""))),
        "repetition": (text[:LONG] for text in repeated),
        "pieces": made(lambda: chance.choice((*REPEATED, *PIECES)) + chance.choice((" ", ""))),
        "unicode": made(lambda: chance.choice((strange(), chance.choice(sentences)))),
    }


def took(question: Question) -> float:
    """Seconds of processor time for one reading."""
    start = process_time()
    read(question)
    return process_time() - start


def print_typical(seconds: float) -> None:
    """Readings a second: rounds, and every question at its quickest."""
    questions = [Question(text=text) for text in typical()]
    quickest = [took(question) for question in questions]
    gc.collect()
    gc.freeze()
    rounds = []
    supply = cycle(enumerate(questions))
    until = perf_counter() + seconds
    while perf_counter() < until:
        spent = 0.0
        for place, question in islice(supply, ROUND):
            seconds_taken = took(question)
            spent += seconds_taken
            quickest[place] = min(quickest[place], seconds_taken)
        rounds.append(ROUND / spent)
    rounds.sort()
    print(
        f"typical questions ({len(questions)}): {rounds[-1]:,.0f} readings/s best round, "
        f"{rounds[len(rounds) // 2]:,.0f} median, {len(questions) / sum(quickest):,.0f} each at its quickest"
    )


def main(seconds: float) -> None:
    """Measures and prints."""
    print_typical(seconds)
    for kind, texts in long_messages().items():
        questions = [Question(text=text) for text in islice(texts, MESSAGES)]
        times = sorted(min(took(question) for _ in range(TRIES)) * 1e3 for question in questions)
        print(
            f"{LONG:,} characters, {kind} ({len(times)}): {times[len(times) // 2]:.2f} ms median, "
            f"{times[int(len(times) * 0.999)]:.2f} ms at the 99.9th percentile"
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
