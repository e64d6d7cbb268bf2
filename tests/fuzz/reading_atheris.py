"""Coverage-guided fuzzing of the reader for a stated time: an exception is a crash, so is a reading that is too slow.

usage: python -m tests.fuzz.reading_atheris [SECONDS]        (default 60)

Needs the optional package atheris (pip install atheris; Linux and macOS). Without it the script says so and ends well.
"""

import sys
import tempfile
from pathlib import Path
from time import process_time

from bot.messages import Question
from tests.fuzz.messages import PIECES, sentences

TOO_LONG = 0.25
"""Seconds of processor time for one reading under instrumentation, which costs many times the plain code."""
LONGEST = 4_000


def read_bytes(data: bytes) -> None:
    """One reading of arbitrary bytes as text."""
    from bot.parser import read  # instrumented by then

    text = data.decode("utf-8", "replace")
    start = process_time()
    read(Question(text=text))
    took = process_time() - start
    if took > TOO_LONG:
        raise TimeoutError(f"{took:.2f} s for {len(text)} characters")


def main(seconds: int) -> None:
    """Fuzzes with the corpus as seeds."""
    try:
        import atheris  # optional
    except ImportError:
        print("skipped: the optional package atheris is not installed")
        return
    with atheris.instrument_imports(include=["bot.parser"]):
        from bot.parser import read
    for text in ("13b qlora", "reicht eine 3060 für 13b mit qlora?", "3060 pour 13b qlora ?"):
        read(Question(text=text))  # catalog, grammars and weights are built before the clock runs
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate((*sentences(), *PIECES)):
            Path(folder, str(number)).write_text(text, encoding="utf-8")
        options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-artifact_prefix={folder}/crash-", folder]
        atheris.Setup([sys.argv[0], *options], read_bytes)
        atheris.Fuzz()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
