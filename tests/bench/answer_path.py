"""What an answer costs: python -m tests.bench.answer_path [QUESTIONS.jsonl]

Prints the CPU of a cold `whichgpu ask`, the modules that it imports, answers per second of a warm process on one core,
their percentiles, and the function calls of an answer by part, which say the same on a busy machine. Not a test:
machines differ. The file holds {"text": ...} a line; without one, the pastes and questions of the tests are used.
"""

import cProfile
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
COLD_QUESTION = "13b qlora"
COLD_RUNS = 7
FORBIDDEN = ("discord", "telegram", "sqlalchemy", "numpy")
ROUNDS = 4


def cold_seconds() -> list[float]:
    """CPU seconds (user and system) of fresh processes that answer one question, with their bytecode as installed."""
    installed = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "bot", "ask", COLD_QUESTION]
    spent = []
    for _ in range(1 + COLD_RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=installed)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return sorted(spent[1:])  # the first one writes what later starts read


def imported() -> set[str]:
    """Top-level modules that a cold answer imports."""
    code = (
        "import sys, io; from bot.__main__ import main; out, sys.stdout = sys.stdout, io.StringIO()\n"
        f"sys.argv[1:] = ['ask', {COLD_QUESTION!r}]; main()\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=out)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def questions(path: str | None) -> list[str]:
    """The texts to answer: of a file of JSON lines, or of the tests."""
    if path is not None:
        return [json.loads(line)["text"] for line in Path(path).read_text(encoding="utf-8").splitlines()]
    dialogues = (ROOT / "tests" / "dialogues").glob("*/*.md")
    said = [
        line[2:] for page in dialogues for line in page.read_text(encoding="utf-8").splitlines() if line[:2] == "> "
    ]
    pasted = [
        page.read_text(encoding="utf-8").split("---\n", 2)[2] for page in (ROOT / "tests" / "pasted").glob("*.md")
    ]
    return [COLD_QUESTION, *said, *pasted]


def varied(texts: list[str], number: int) -> list[str]:
    """The same questions about other lengths, so that no remembered estimate answers them."""
    return [f"{text}\n{512 + 64 * number} tokens" for text in texts]


def seconds_each(texts: list[str]) -> list[float]:
    """CPU seconds of every text, read from JSON and written as JSON as `ask --batch` does."""
    from bot.cli.asking import as_line, as_object, question_of
    from bot.pipeline import answer

    spent = []
    for text in texts:
        line = json.dumps({"id": 1, "text": text}).encode()
        start = time.process_time()
        found = question_of(line, None)
        assert found is not None
        as_line({"id": found[0], **as_object(answer(found[1], pressable=False))})  # type: ignore[arg-type]
        spent.append(time.process_time() - start)
    return spent


def calls_each(texts: list[str]) -> dict[str, float]:
    """Function calls of an answer, Python's and C's: to read it, to find its page, to think and to render it."""
    from bot import parser, pipeline, renderer
    from bot.messages import Question

    counted: Counter[str] = Counter()

    def count(home: Any, name: str) -> Callable[..., Any]:
        plain: Callable[..., Any] = getattr(home, name)

        def counting(*values: Any, **named: Any) -> Any:
            profile = cProfile.Profile()
            try:
                return profile.runcall(plain, *values, **named)
            finally:
                counted[name] += sum(entry.callcount for entry in profile.getstats())

        setattr(home, name, counting)
        return plain

    parts = [(parser, "read"), (pipeline, "with_page"), (pipeline, "advise"), (renderer, "render")]
    plain = [(home, name, count(home, name)) for home, name in parts]
    for text in texts:
        pipeline.answer(Question(text=text), pressable=False)
    for home, name, function in plain:
        setattr(home, name, function)
    return {name: counted[name] / len(texts) for _, name in parts}


def report(name: str, spent: list[float]) -> None:
    """Answers per second and percentiles."""
    spent = sorted(spent)
    at = [1000 * spent[min(len(spent) - 1, int(len(spent) * share))] for share in (0.5, 0.9, 0.99)]
    print(f"{name:28s} {len(spent) / sum(spent):7.0f}/s   p50 {at[0]:.2f}  p90 {at[1]:.2f}  p99 {at[2]:.2f} ms")


def main() -> None:
    """Print the figures."""
    from bot.cli import settle

    cold = cold_seconds()
    print(f"cold ask, CPU seconds        median {median(cold):.3f}  least {cold[0]:.3f}  most {cold[-1]:.3f}")
    there = imported()
    print(f"modules on the path          {len(there)}; forbidden ones: {sorted(there & set(FORBIDDEN)) or 'none'}")
    assert not there & set(FORBIDDEN)
    texts = questions(sys.argv[1] if len(sys.argv) > 1 else None)
    seconds_each(texts)
    settle()
    report("warm, new set-ups", [second for number in range(ROUNDS) for second in seconds_each(varied(texts, number))])
    report("warm, same questions again", [second for _ in range(ROUNDS) for second in seconds_each(texts)])
    calls = calls_each([text for number in range(ROUNDS) for text in varied(texts, ROUNDS + number)])
    shown = ", ".join(f"{name} {number:.0f}" for name, number in calls.items())
    print(f"calls, new set-ups           {sum(calls.values()):7.0f}     {shown}")


if __name__ == "__main__":
    main()
