"""The text without its pasted part: what is left is prose."""

import re

from bot.parser.pasted.scan import Pair, Scanned

CONFIG_LINE = re.compile(
    r"""[ ]*(?:-[ ]+)?["']?(?P<key>[\w.-]{1,60})["']?[ ]{0,8}[:=][ ]{0,8}
    (?:"[^"]*"|'[^']*'|[\[{(].*|[^\s]{0,200}|\w[\w.]*\(.*)?[ ]*,?[ ]*(?:\#.*)?$""",
    re.VERBOSE,
)
CODE_LINE = re.compile(
    r"[ ]*(?:[\])},]+[ ]*|import \w.*|from [\w.]+ import .*|[\w., ]{1,80} = [\w.]{1,80}\(.*|"
    r"[\w.]{1,80}\([\w., ]{0,80}\)?,?|- [\w./-]{1,80}|[\w./-]{1,60},|[\"'][\w./-]{1,80}[\"'],?|#.*|\\)$"
)
PROSE_KEYS = {
    *("gpu", "gpus", "card", "cards", "hardware", "ram", "vram", "os", "cpu", "question", "problem", "error", "edit"),
    *("karte", "karten", "grafikkarte", "frage", "fehler", "ziel", "system", "model", "modell", "note", "update"),
    *("context", "kontext", "goal", "setup", "budget", "help"),
}
COMMAND = re.compile(
    r"(?:[A-Z][A-Z_]{3,40}=\S{1,80} )*\b(?:accelerate|torchrun|python3?|deepspeed|swift|megatron|llamafactory-cli|"
    r"axolotl|tune|litgpt|trl|mlx_lm[\w.]*|automodel)\b"
)


def without(scanned: Scanned, counted: list[Pair], told: set[int]) -> str:
    """The lines of a text without configuration, code around it, commands, and the lines of logs."""
    by_line: dict[int, list[Pair]] = {}
    for pair in counted:
        by_line.setdefault(pair.line, []).append(pair)
    fenced = _fenced(scanned.lines, by_line, told)
    kept = []
    for number, line in enumerate(scanned.lines):
        if number in told or number in fenced:
            continue
        pairs = by_line.get(number, [])
        if counted and _is_config(line, pairs):
            continue
        kept.append(_cut(line, pairs) if pairs else line)
    return "\n".join(kept).strip()


def _fenced(lines: list[str], by_line: dict[int, list[Pair]], told: set[int]) -> set[int]:
    """The lines of fenced blocks in which something was found, and all fence marks."""
    marks = [number for number, line in enumerate(lines) if line.lstrip().startswith("```")]
    gone = set(marks)
    for start, end in zip(marks[::2], [*marks[1::2], len(lines)], strict=False):
        inside = range(start, end)
        if any(number in by_line or number in told for number in inside):
            gone.update(inside)
    return gone


def _is_config(line: str, pairs: list[Pair]) -> bool:
    found = CONFIG_LINE.match(line)
    if found:
        return bool(pairs) or found["key"].lower() not in PROSE_KEYS
    return CODE_LINE.match(line) is not None


def _cut(line: str, pairs: list[Pair]) -> str:
    """A line of prose without the pairs in it; a command goes from its name to its last flag."""
    flags = [pair for pair in pairs if pair.form == "flag" and pair.end]
    if flags:
        command = COMMAND.search(line, 0, flags[0].start)
        line = _blank(line, command.start() if command else flags[0].start, max(pair.end for pair in flags))
    for pair in pairs:
        if pair.form != "flag" and pair.end:
            line = _blank(line, pair.start, pair.end)
    return line


def _blank(line: str, start: int, end: int) -> str:
    return line[:start] + " " * (end - start) + line[end:]
