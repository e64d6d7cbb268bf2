"""What went wrong, from tracebacks, launchers and logs: symptoms and the figures that stand in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

GIB = {"b": 2.0**-30, "k": 2.0**-20, "m": 2.0**-10, "g": 1.0, "t": 1024.0}
SIZE = r"([\d.]{1,12})[ \t]{0,3}([KMGT])i?B"

OOM = re.compile(
    r"out of memory|OutOfMemoryError|CUDA_ERROR_OUT_OF_MEMORY|CUBLAS_STATUS_ALLOC_FAILED|Tried to allocate|"
    r"OUT_OF_DEVICE_MEMORY|RESOURCE_EXHAUSTED",
    re.IGNORECASE,
)
HOST = re.compile(
    r"exit(?:s|ed)?[ _-]?(?:code|status)?[ \t]{0,3}(?:is|of|with return code|with code|:|=)?[ \t]{0,3}(?:-9|137)\b|"
    r"return code[ \t]{0,3}=?[ \t]{0,3}-9\b|exitcode[ \t]{0,3}:[ \t]{0,3}-9\b|SIGKILL|OOMKilled|oom[-_]kill|signal 9\b|"
    r"Out of memory: Kill(?:ed)? process|killed by signal: Killed|DefaultCPUAllocator|"
    r"(?:^|\n)[ \t]{0,8}(?:.{0,40}[ \t])?Killed[ \t]{0,3}(?:\n|$|python)|numpy\S{0,40}MemoryError|ArrayMemoryError",
)
TRIED = re.compile(r"Tried to allocate[ \t]{1,3}" + SIZE, re.IGNORECASE)
CAPACITY = (
    re.compile(r"total capac?i?ty of[ \t]{1,3}" + SIZE, re.IGNORECASE),
    re.compile(SIZE + r"[ \t]{1,3}total capacity", re.IGNORECASE),
    re.compile(r"max allowed:[ \t]{0,3}" + SIZE, re.IGNORECASE),
)
UNALLOCATED = re.compile(r"and[ \t]{1,3}" + SIZE + r"[ \t]{1,3}is reserved by PyTorch but unallocated", re.IGNORECASE)
OLD_ALLOCATED = re.compile(SIZE + r"[ \t]{1,3}already allocated", re.IGNORECASE)
OLD_RESERVED = re.compile(SIZE + r"[ \t]{1,3}reserved in total", re.IGNORECASE)
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
NOTE = re.compile(
    r"If reserved but unallocated|See documentation for Memory Management|to avoid fragmentation|Use PYTORCH_MPS",
    re.IGNORECASE,
)

WHEN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("oom_merge", re.compile(r"\b(?:merge_and_unload|merge_lora|save_pretrained_merged)\b")),
    (
        "oom_eval",
        re.compile(
            r"\b(?:evaluation_loop|prediction_step|prediction_loop|in evaluate\b|trainer\.evaluate|nested_concat|"
            r"_nested_gather|_maybe_log_save_evaluate)"
        ),
    ),
    (
        "oom_save",
        re.compile(
            r"\b(?:save_checkpoint|_save_checkpoint|save_model|get_fp32_state_dict|full_state_dict|"
            r"_zero3_consolidated_16bit_state_dict)\b"
        ),
    ),
    (
        "oom_generate",
        re.compile(
            r"\b(?:_generate_and_score_completions|vllm|in generate\b|gpu_model_runner|llm_engine)", re.IGNORECASE
        ),
    ),
    (
        "oom_load",
        re.compile(
            r"\b(?:from_pretrained|_load_pretrained_model|load_state_dict|load_checkpoint_in_model|dispatch_model|"
            r"_load_state_dict_into_m\w{1,40}|caching_allocator_warmup|load_model)\b"
        ),
    ),
)
"""Where in a traceback memory ran out; the innermost frame that says something counts."""
TRAINS = re.compile(
    r"\b(?:training_step|compute_loss|\.backward\(|in backward|optimizer\.step|_inner_training_loop|in forward)\b"
)

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
    tried = TRIED.search(text)
    host = HOST.search(text)
    traced = "Traceback" in text or 'File "' in text
    ram = HOST_RAM.search(text)
    capacity = next((found for pattern in CAPACITY if (found := pattern.search(text))), None)
    oom = OOM.search(text)
    if not (host or ram or ((tried or traced) and oom and (traced or capacity or tried))):
        return None
    if tried or (traced and oom) or capacity:
        failure.symptoms.append(when(text))
    if tried:
        failure.slots["tried_allocate_gib"] = gib(tried)
    if capacity:
        failure.slots["capacity_gib"] = gib(capacity)
        if fragmented(text, gib(capacity)):
            failure.symptoms.append("fragmented")
    if host:
        failure.symptoms.append("killed")
    if ram and 0 < float_of(ram[2]) <= 100:
        failure.slots["ram_gb"] = round(float_of(ram[1]) / float_of(ram[2]) * 100)
    failure.lines = set(log_lines(lines, traced=traced))
    return failure


def when(text: str) -> str:
    """The symptom's code: the last telling frame before memory ran out, else how far the run had come."""
    oom = max((found.start() for found in OOM.finditer(text)), default=len(text))
    before = text[:oom]
    if 'File "' not in before:  # a log that tells the error first and the frames after it
        before = text
    told = [
        (max(found.start() for found in pattern.finditer(before)), code)
        for code, pattern in WHEN
        if pattern.search(before)
    ]
    trains = max((found.start() for found in TRAINS.finditer(before)), default=-1)
    if told and (max(told)[0] > trains or max(told)[1] in ("oom_eval", "oom_save", "oom_generate", "oom_merge")):
        return max(told)[1]
    steps = [int(found[2]) for found in PROGRESS.finditer(text) if int(found[3]) > FIRST_STEPS]
    return "oom_later" if steps and max(steps) > FIRST_STEPS else "oom_step"


def fragmented(text: str, capacity: float) -> bool:
    """Whether more than a tenth of the card is reserved and not used."""
    spare = UNALLOCATED.search(text)
    if spare:
        return gib(spare) > 0.1 * capacity
    allocated, reserved = OLD_ALLOCATED.search(text), OLD_RESERVED.search(text)
    return bool(allocated and reserved and gib(reserved) - gib(allocated) > 0.1 * capacity)


def log_lines(lines: list[str], *, traced: bool) -> Iterator[int]:
    """The numbers of the lines that are traceback, error text or progress bar."""
    source = False
    for number, line in enumerate(lines):
        told = TRACE_LINE.match(line) or NOTE.search(line) or PROGRESS.search(line) or is_error_text(line)
        if told or (source and line[:2] == "  "):
            yield number
        source = traced and line.lstrip().startswith('File "')


def is_error_text(line: str) -> bool:
    """The error message itself, with its figures: not a sentence of the asker's."""
    found = TRIED.search(line)
    return bool(found) and any(pattern.search(line) for pattern in (*CAPACITY, OLD_ALLOCATED, UNALLOCATED))


def gib(found: re.Match[str]) -> float:
    """The size that a match of SIZE found, in GiB."""
    return round(float_of(found[1]) * GIB[found[2].lower()], 3)


def float_of(text: str) -> float:
    """A number in an error message; 0 when dots make it none."""
    try:
        return float(text)
    except ValueError:
        return 0.0
