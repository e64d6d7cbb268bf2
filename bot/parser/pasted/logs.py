"""What trainers and drivers print about a set-up: nvidia-smi, the Unsloth banner, "***** Running training *****"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.parser.pasted import Card

SMI_NAME = re.compile(
    r"^\W{0,6}\d{1,3}[ \t]{1,4}((?:NVIDIA|Tesla|Quadro|GeForce|TITAN|Graphics)[^|\n]{2,40}?)"
    r"[ \t]{2,}(?:On|Off|N/A|WDDM|TCC)\b"
)
SMI_MEMORY = re.compile(r"(\d{1,7})[ \t]?MiB[ \t]{0,6}/[ \t]{0,6}(\d{1,7})[ \t]?MiB")
SMI_LIST = re.compile(r"^[ \t]{0,8}GPU (\d{1,3}): ([^(\n]{3,60}?) \(UUID")
BANNER = re.compile(
    r"^[^A-Za-z\n]{2,30}([A-Z][^.\n]{2,60})\. Num GPUs[ \w]{0,8}= (\d{1,3})\. Max memory: ([\d.]{1,9}) GB"
)


def billions(count: str | int) -> float:
    """A number of parameters as the slot has it."""
    return round(int(count) / 1e9, 3)


COUNTED: tuple[tuple[str, re.Pattern[str], Callable[[str | int], float]], ...] = (
    ("params_b", re.compile(r"all params: ([\d,]{1,19})"), billions),
    ("dataset_examples", re.compile(r"Num examples = ([\d,]{1,15})"), int),
    ("epochs", re.compile(r"Num Epochs = ([\d,]{1,9})"), float),
    ("micro_batch", re.compile(r"(?:Instantaneous batch size per device|Batch size per device) = ([\d,]{1,9})"), int),
    ("grad_accum", re.compile(r"Gradient [Aa]ccumulation steps = ([\d,]{1,9})"), int),
)
LOG_LINE = re.compile(
    r"trainable params: |Trainable parameters = |Total train batch size|Total optimization steps|\*\*\*\*\* Running|"
    r"Number of trainable|Torch: \d[^\n]{0,40}CUDA|Bfloat16 = |Free license: |\{'loss': |Unsloth: |Unsloth 20\d\d"
)
HINTS = (
    *("MiB", "UUID", "Num E", "Num e", "Num G", "batch size", "ccumulation steps", "rainable", "Unsloth", "'loss'"),
    "*****",
)
"""Without one of these no line is a log's."""


@dataclass(slots=True)
class Log:
    """Slots and cards of a log, and its lines."""

    slots: dict[str, Any] = field(default_factory=dict)
    cards: list[Card] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)


def read_logs(lines: list[str]) -> Log | None:
    """What the lines of a log say; None when there is no such line."""
    text = "\n".join(lines)
    if not any(hint in text for hint in HINTS):
        return None
    log = Log()
    names: list[str] = []
    sizes: list[float] = []
    for number, line in enumerate(lines):
        if _line(line, log, names, sizes) or LOG_LINE.search(line):
            log.lines.add(number)
    if names:
        log.lines.update(number for number, line in enumerate(lines) if line.lstrip().startswith(("|", "+")))
    if not log.lines:
        return None
    log.cards += counted(names, sizes)
    return log


def _line(line: str, log: Log, names: list[str], sizes: list[float]) -> bool:
    if found := SMI_NAME.match(line):
        names.append(found[1].strip())
    elif found := SMI_LIST.match(line):
        names.append(found[2].strip())
    elif found := BANNER.match(line):
        log.cards.append((found[1].strip(), int(found[2]), box_gb(float(found[3].strip(".") or 0))))
    elif "MiB" in line and (found := SMI_MEMORY.search(line)) and len(sizes) < len(names):
        sizes += [box_gb(int(found[2]) / 1024)] * (len(names) - len(sizes))
    else:
        hits = [(slot, pattern.search(line), kind) for slot, pattern, kind in COUNTED]
        for slot, hit, kind in hits:
            if hit and (value := kind(hit[1].replace(",", "") or 0)):
                log.slots.setdefault(slot, value)
        return any(hit for _, hit, _ in hits)
    return True


def counted(names: list[str], sizes: list[float]) -> list[Card]:
    """Rows of nvidia-smi as kinds of card with their number, in the order in which they come."""
    found: dict[tuple[str, float | None], int] = {}
    for at, name in enumerate(names):
        row = (name.removesuffix("...").strip(), sizes[at] if at < len(sizes) else None)
        found[row] = found.get(row, 0) + 1
    return [(name, count, size) for (name, size), count in found.items()]


BOX_SIZES = (
    2,
    3,
    4,
    5,
    6,
    8,
    10,
    11,
    12,
    16,
    20,
    22,
    24,
    32,
    40,
    44,
    48,
    64,
    72,
    80,
    94,
    96,
    128,
    141,
    144,
    180,
    192,
    256,
    288,
)


def box_gb(gib: float) -> float:
    """The size on the box for what a driver reports: the next one that is sold, at most 9 % above."""
    return next((float(size) for size in BOX_SIZES if gib <= size * 1.005 and size <= gib * 1.09), round(gib, 1))
