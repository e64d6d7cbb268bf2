"""The text without its pasted part: what is left is prose."""

import re

from bot.parser.pasted.scan import Pair, Scanned

CONFIG_LINE = re.compile(
    r"""[ ]*(?:-[ ]+)?["']?(?P<key>[\w.-]{1,60})["']?[ ]{0,8}(?P<sep>[:=])[ ]{0,8}
    (?:"[^"]*"|'[^']*'|[\[{(].*|[^\s]{0,200}|\w[\w.]*\(.*)?[ ]*,?[ ]*(?:\#.*)?$""",
    re.VERBOSE,
)
CODE_LINE = re.compile(
    r"[ ]*(?:[\])},]+[ ]*|import \w.*|from [\w.]+ import .*|[\w., ]{1,80} = [\w.]{1,80}\(.*|"
    r"[\w.]{1,80}\([\w., ]{0,80}\)?,?|- [\w./-]{1,80}|[\w./-]{1,60},|"
    r"(?:[\"'][^\"'\n]{0,80}[\"'][, \])]{0,8}){1,40}|#.*|\\)$"
)
LEFTOVER = re.compile(r"[\s,;(){}\[\]\\]{1,2000}")
"""What stays of a line of code when its arguments are gone."""
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
    last_flag = {pair.line: pair.end for pair in scanned.pairs if pair.form == "flag"}
    gone = told | _fenced(scanned.lines, by_line, told)
    kept = []
    continued = False
    for number, line in enumerate(scanned.lines):
        pairs = by_line.get(number, [])
        goes_on = line.rstrip().endswith("\\")
        if continued and (goes_on or pairs or number in last_flag):  # a command over several lines
            continued = goes_on
            continue
        continued = goes_on and (number in last_flag or COMMAND.search(line) is not None)
        if number in gone or (counted and _is_config(line, pairs)):
            continue
        if continued:
            kept.append(_before_command(line, pairs))
        else:
            kept.append(_cut(line, pairs, last_flag.get(number, 0)) if pairs or COMMAND.match(line) else line)
    return "\n".join(line for line in kept if not LEFTOVER.fullmatch(line) or not line).strip()


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
        return bool(pairs) or found["sep"] == "=" or found["key"].lower() not in PROSE_KEYS
    return CODE_LINE.match(line) is not None


def _cut(line: str, pairs: list[Pair], last_flag: int) -> str:
    """A line of prose without the pairs in it; a command goes from its name to its last flag."""
    if COMMAND.match(line) or any(pair.form == "flag" and pair.end for pair in pairs):
        start = len(_before_command(line, pairs))
        line = _blank(line, start, max(start, last_flag))
    for pair in pairs:
        if pair.form != "flag" and pair.end:
            line = _blank(line, pair.start, pair.end)
    return line


def _before_command(line: str, pairs: list[Pair]) -> str:
    """What stands on a line before the command's name, or before its first flag."""
    first = min((pair.start for pair in pairs if pair.form == "flag" and pair.end), default=len(line))
    command = COMMAND.search(line, 0, first)
    return line[: command.start() if command else first]


def _blank(line: str, start: int, end: int) -> str:
    """The same line with blanks: the columns of the other pairs stay right."""
    return line[:start] + " " * (end - start) + line[end:]
