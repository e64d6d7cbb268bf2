"""What went wrong, from tracebacks, launchers and logs: symptoms and the figures that stand in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

GIB = {"b": 2.0**-30, "k": 2.0**-20, "m": 2.0**-10, "g": 1.0, "t": 1024.0}
SIZE = r"([\d.]{1,12}+)[ \t]{0,3}([kmgt])i?b"

# These read the text in small letters: a search that minds no case cannot skip to a first letter.
OOM = re.compile(
    r"out of memory|outofmemoryerror|cuda_error_out_of_memory|cublas_status_alloc_failed|tried to allocate|"
    r"out_of_device_memory|resource_exhausted"
)
TRIED = re.compile(r"tried to allocate[ \t]{1,3}" + SIZE)
CAPACITY = (
    ("total capa", re.compile(r"total capac?i?ty of[ \t]{1,3}" + SIZE)),
    ("total capacity", re.compile(SIZE + r"[ \t]{1,3}total capacity")),
    ("max allowed", re.compile(r"max allowed:[ \t]{0,3}" + SIZE)),
)
UNALLOCATED = re.compile(r"and[ \t]{1,3}" + SIZE + r"[ \t]{1,3}is reserved by pytorch but unallocated")
OLD_ALLOCATED = re.compile(SIZE + r"[ \t]{1,3}already allocated")
OLD_RESERVED = re.compile(SIZE + r"[ \t]{1,3}reserved in total")
NOTE = re.compile(
    r"if reserved but unallocated|see documentation for memory management|to avoid fragmentation|use pytorch_mps"
)

HOST = re.compile(
    r"exit(?:s|ed)?[ _-]?(?:code|status)?[ \t]{0,3}(?:is|of|with return code|with code|:|=)?[ \t]{0,3}(?:-9|137)\b|"
    r"return code[ \t]{0,3}=?[ \t]{0,3}-9\b|exitcode[ \t]{0,3}:[ \t]{0,3}-9\b|SIGKILL|OOMKilled|oom[-_]kill|signal 9\b|"
    r"Out of memory: Kill(?:ed)? process|killed by signal: Killed|DefaultCPUAllocator|numpy\S{0,40}MemoryError|"
    r"ArrayMemoryError"
)
OF_HOST = (
    *("-9", "137", "SIGKILL", "OOMKill", "oom-kill", "oom_kill", "signal 9", "Out of memory: Kill", "killed by signal"),
    *("DefaultCPUAllocator", "MemoryError"),
)
"""Each match of the pattern holds one of these."""
KILLED = re.compile(r"Killed[ \t]{0,3}(?:\n|$|python)")
SHELL = re.compile(r"[ \t]{0,8}(?:.{0,40}[ \t])?")
"""What a shell prints before "Killed"."""
LONGEST_SHELL = 50
HOST_RAM = re.compile(
    r"used[ \t]{0,3}=?[ \t]{0,3}([\d.]{1,9})[ \t]?GB[ \t]?[,=(]?[ \t]{0,3}"
    r"(?:percent[ \t]{0,3}=[ \t]{0,3})?([\d.]{1,6})[ \t]?%"
)
PROGRESS = re.compile(r"\b(\d{1,3})%\|[^|\n]{0,60}\|[ \t]{0,3}(\d{1,9})/(\d{1,9})")
TRACE_LINE = re.compile(
    r"[ \t]{0,12}(?:Traceback \(|File \"|\^{2,}|~{3,}|During handling of|The above exception|\[rank\d|"
    r"\[Previous line|raise |torch\.|RuntimeError|\S{1,60}Error: |E\d{4} |W\d{4} |I\d{4} |Failures:|Root Cause|"
    r"={8,}|-{8,}|\[\d{4}-\d\d-\d\d|Last State:|\[\d\]:|"
    r"[ \t]{0,4}(?:rank|exitcode|error_file|traceback|time|host) {1,10}: )"
)


def _frames(*names: str, more: str = "") -> re.Pattern[str]:
    """Names at the start of a word, whole ones and those that may go on; first letters in front, to be skipped to."""
    starts = [(rf"{name}\b") for name in names] + more.split()
    return re.compile("|".join(rf"{start[0]}(?<!\w.){start[1:]}" for start in starts))


WHEN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("oom_merge", _frames("merge_and_unload", "merge_lora", "save_pretrained_merged")),
    (
        "oom_eval",
        _frames(
            "in evaluate",
            more=r"evaluation_loop prediction_step prediction_loop trainer\.evaluate nested_concat _nested_gather "
            r"_maybe_log_save_evaluate",
        ),
    ),
    (
        "oom_save",
        _frames(
            *("save_checkpoint", "_save_checkpoint", "save_model", "get_fp32_state_dict", "full_state_dict"),
            "_zero3_consolidated_16bit_state_dict",
        ),
    ),
    (
        "oom_generate",
        _frames("in generate", more="_generate_and_score_completions vllm gpu_model_runner llm_engine"),
    ),
    (
        "oom_load",
        _frames(
            *("from_pretrained", "_load_pretrained_model", "load_state_dict", "load_checkpoint_in_model"),
            *("dispatch_model", r"_load_state_dict_into_m\w{1,40}", "caching_allocator_warmup", "load_model"),
        ),
    ),
)
"""Where in a traceback memory ran out; the innermost frame that says something counts."""
ANY_CASE = frozenset({"oom_generate"})
"""Names of libraries too, which people write with capitals."""
TRAINS = _frames(
    *("training_step", "compute_loss", "in backward", r"optimizer\.step", "_inner_training_loop", "in forward")
)
BACKWARD = re.compile(r"\.backward\(")

FIRST_STEPS = 5


@dataclass(slots=True)
class Failure:
    """Symptoms, slots, and the lines that are log and not prose."""

    symptoms: list[str] = field(default_factory=list)
    slots: dict[str, Any] = field(default_factory=dict)
    lines: set[int] = field(default_factory=set)


def read_failures(text: str, lines: list[str]) -> Failure | None:
    """What a traceback, launcher message or training log in the text says; None when there is none."""
    failure = Failure()
    small = in_small_letters(text)
    tried = TRIED.search(small) if "tried to allocate" in small else None
    traced = "Traceback" in text or 'File "' in text
    oom = traced and OOM.search(small) is not None
    host = by_host(text) or by_shell(text)
    ram = HOST_RAM.search(text) if "used" in text else None
    if not (host or ram or tried or oom):
        return None
    capacity = capacity_in(small)
    if tried or oom or capacity:
        failure.symptoms.append(when(text, small))
    if tried:
        failure.slots["tried_allocate_gib"] = gib(tried)
    if capacity:
        failure.slots["capacity_gib"] = gib(capacity)
        if fragmented(small, gib(capacity)):
            failure.symptoms.append("fragmented")
    if host:
        failure.symptoms.append("killed")
    if ram and 0 < float_of(ram[2]) <= 100:
        failure.slots["ram_gb"] = round(float_of(ram[1]) / float_of(ram[2]) * 100)
    failure.lines = set(log_lines(lines, small.split("\n"), traced=traced))
    return failure


def in_small_letters(text: str) -> str:
    """Lower case, letter for letter: places stay where they are."""
    return text.replace("\u0130", "I").lower()


def by_host(text: str) -> bool:
    """Whether the machine ended the run: by its code or in words."""
    return any(word in text for word in OF_HOST) and HOST.search(text) is not None


def by_shell(text: str) -> bool:
    """Whether a line says "Killed", after nothing or what a shell prints before it."""
    return any(
        SHELL.fullmatch(text, text.rfind("\n", max(0, found.start() - LONGEST_SHELL), found.start()) + 1, found.start())
        for found in KILLED.finditer(text)
    )


def capacity_in(small: str) -> re.Match[str] | None:
    """The card's memory, in any wording."""
    return next((found for hint, pattern in CAPACITY if hint in small and (found := pattern.search(small))), None)


def when(text: str, small: str) -> str:
    """The symptom's code: the last telling frame before memory ran out, else how far the run had come."""
    oom = max((found.start() for found in OOM.finditer(small)), default=len(text))
    if 'File "' not in text[:oom]:  # a log that tells the error first and the frames after it
        oom = len(text)
    places = ((last(pattern, small if code in ANY_CASE else text, oom), code) for code, pattern in WHEN)
    place, code = max(places)
    trains = max(last(TRAINS, text, oom), last(BACKWARD, text, oom))
    if place > trains or (place >= 0 and code in ("oom_eval", "oom_save", "oom_generate", "oom_merge")):
        return code
    steps = [int(found[2]) for found in PROGRESS.finditer(text) if int(found[3]) > FIRST_STEPS]
    return "oom_later" if steps and max(steps) > FIRST_STEPS else "oom_step"


def last(pattern: re.Pattern[str], text: str, end: int) -> int:
    """Where the last match before `end` starts, -1 without one."""
    return max((found.start() for found in pattern.finditer(text, 0, end)), default=-1)


def fragmented(small: str, capacity: float) -> bool:
    """Whether more than a tenth of the card is reserved and not used."""
    spare = UNALLOCATED.search(small) if "pytorch but unallocated" in small else None
    if spare:
        return gib(spare) > 0.1 * capacity
    if not ("already allocated" in small and "reserved in total" in small):
        return False
    allocated, reserved = OLD_ALLOCATED.search(small), OLD_RESERVED.search(small)
    return bool(allocated and reserved and gib(reserved) - gib(allocated) > 0.1 * capacity)


def log_lines(lines: list[str], small_lines: list[str], *, traced: bool) -> Iterator[int]:
    """The numbers of the lines that are traceback, error text or progress bar."""
    source = False
    for number, (line, small) in enumerate(zip(lines, small_lines, strict=True)):
        told = TRACE_LINE.match(line) or NOTE.search(small) or ("%|" in line and PROGRESS.search(line))
        if told or is_error_text(small) or (source and line[:2] == "  "):
            yield number
        source = traced and line.lstrip().startswith('File "')


def is_error_text(small: str) -> bool:
    """The error message itself, with its figures: not a sentence of the asker's."""
    if "tried to allocate" not in small or not TRIED.search(small):
        return False
    return bool(capacity_in(small) or OLD_ALLOCATED.search(small) or UNALLOCATED.search(small))


def gib(found: re.Match[str]) -> float:
    """The size that a match of SIZE found, in GiB."""
    return round(float_of(found[1]) * GIB[found[2]], 3)


def float_of(text: str) -> float:
    """A number in an error message; 0 when dots make it none."""
    try:
        return float(text)
    except ValueError:
        return 0.0
