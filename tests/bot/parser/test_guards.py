"""Plain words are looked for before a pattern: whatever the pattern finds must hold one of them."""

import pytest

from bot.parser.pasted.failures import HOST, by_host
from bot.parser.pasted.logs import read_logs
from bot.parser.ranks import raised_rank
from bot.parser.slots import Slots
from bot.parser.text import Message

ENDED_BY_THE_MACHINE = (
    *("exited with code 137", "exit code: -9", "return code = -9", "exitcode  : -9 (pid: 12)", "SIGKILL", "OOMKilled"),
    *(
        "oom-kill:constraint=CONSTRAINT_MEMCG",
        "oom_kill_process",
        "died of signal 9",
        "Out of memory: Killed process",
    ),
    *("Out of memory: Kill process 1", "killed by signal: Killed", "DefaultCPUAllocator: not enough memory"),
    *("numpy.core._exceptions.MemoryError: Unable", "numpy._core._exceptions._ArrayMemoryError: Unable"),
)


@pytest.mark.parametrize("text", ENDED_BY_THE_MACHINE)
def test_a_run_that_the_machine_ended_is_seen(text: str) -> None:
    assert HOST.search(text)
    assert by_host(f"step 10\n{text}\n")


@pytest.mark.parametrize("text", ["exit code 1", "step 1374 of 9000", "my card has 9 GB left", "seed 137"])
def test_other_ends_are_not(text: str) -> None:
    assert not by_host(text)


@pytest.mark.parametrize(
    "line",
    [
        "    Num examples = 1,024",
        "    Num Epochs = 3",
        "    Gradient Accumulation steps = 8",
        "all params: 8,072,204,288",
    ],
)
def test_a_line_of_a_log_is_read(line: str) -> None:
    log = read_logs(["***** Running training *****", line])
    assert log is not None
    assert log.slots


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("raised rank from 16 to 256", 256),
        ("Rang von 8 auf 64 erhöht", 64),
        ("moved r from 8 up to 32", 32),
        ("moved from rank 16 to 256", None),
        ("rank from 16 -> 64", 64),
        ("r from 8 to 256k", None),
        ("r from 8 to", None),
        ("rank from 16", None),
    ],
)
def test_a_raised_rank_is_the_new_one(text: str, rank: int | None) -> None:
    slots = Slots()
    raised_rank(slots, Message.of(text), {})
    assert slots.values.get("lora_rank") == rank
