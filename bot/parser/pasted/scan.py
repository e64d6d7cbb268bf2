"""Key-value pairs in whatever was pasted: YAML, JSON, Python calls, command lines, `key=value` words, or parts of them.

One pass over the lines, no evaluation, no grammar of any one format: a key, a separator, a value, and the names of the
sections that are open around them. Cut, indented and quoted text gives what is left of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_LINES = 1_000
LONGEST_LINE = 2_000
MOST_PAIRS = 2_000
DEEPEST = 20
MOST_ITEMS = 100
MOST_FLAG_VALUES = 20
TAKE_SEVERAL = {"target_modules", "lora_target_modules", "lora_target", "model"}
"""Flags that are followed by several words."""
LOADS = "from_pretrained"
"""The call whose first argument is the model."""

QUOTED = re.compile(r"[ \t]{0,20}(?:>[ \t]?){1,5}")
COMMENT = re.compile(r"(?:^|\s)#.*$")
ITEM = re.compile(r"[ ]*-[ ]+")
SEPARATOR = r"[ \t]{0,20}(?P<%s>[:=])(?![=/\\])[ \t]{0,20}"
TOKEN = re.compile(
    r"-(?<![\w./-]-)-?(?P<flag>[A-Za-z][\w.-]{1,60}+)(?:=|[ \t]+|$)"
    r"|(?P<name>[A-Za-z_](?<![\w.].)[\w.]{0,80}+)(?:(?P<call>\()|" + SEPARATOR % "key" + ")"
    r"|(?P<quote>[\"'])(?<![\w.].)(?P<text_name>[A-Za-z_][\w.]{0,60}+)(?P=quote)" + SEPARATOR % "text_key" + r""
    r"|(?P<close>[\]})])"
    r"|(?P<open>[\[{(])"
    r"|[\"'](?P<text>[^\"'\n]{1,200})[\"']"
)
"""Every alternative begins with what its first character may be: most characters begin none."""
SIGN = re.compile(r"[-:=(){}\[\]\"']")
"""Without one of these there is no token on a line."""
TEXT = re.compile(r'"([^"\n]{0,300})"|\'([^\'\n]{0,300})\'')
LIST = re.compile(r"[\[(]([^\[\](){}\n]{0,600})[\])]")
WORD = re.compile(r"[^\s,;(){}\[\]\"'`#|\\]{1,200}")
FLAG_VALUE = re.compile(r"[^\s\"'`\\]{1,200}")
MORE_WORDS = re.compile(r"(?:,[\w.]{1,60}(?![\w.]{0,60}[ ]{0,8}[:=(])){1,40}")
NEXT_WORD = re.compile(r"[ \t]{1,20}([A-Za-z_][\w.]{1,40})(?=[ \t]|$)")
PART = re.compile(r"[\w./:-]+")


class Pair(NamedTuple):
    """A key with its value as written; `path` are the sections around it, `line` is where it stands.

    `value` is None for a key without one (an empty YAML value, a bare flag). `quoted` values are text for certain.
    """

    key: str
    value: str | None
    path: tuple[str, ...]
    line: int
    form: str
    """flag, call (an argument in a Python call), colon or equals."""
    quoted: bool = False
    items: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    """Columns in its line, from the key to the value's end."""
    alone: bool = True
    """Nothing but punctuation or the next key follows on the line: not a sentence that goes on."""
    named: bool = False
    """The key itself stands in quotes, as in JSON."""


@dataclass(slots=True)
class Section:
    """An open section: indented YAML, a brace, a list, or a Python call."""

    name: str
    kind: str
    indent: int = -1
    items: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Scanned:
    """All pairs, the names of all Python calls, and the lines without quote marks."""

    pairs: list[Pair]
    calls: list[tuple[str, int]]
    lines: list[str]


def lines_of(text: str) -> list[str]:
    """The lines of a text without quote marks, at most MOST_LINES of them."""
    return [unquoted(line) for line in text.split("\n", MOST_LINES)[:MOST_LINES]]


def arguments(line: str) -> str:
    """Arguments as a launcher prints them, ['train.py', '--lora_r', '8'], as a command line of the same length."""
    if "'--" not in line:
        return line
    return line.replace("', '", "    ").replace("['", "  ").replace("']", "  ")


def scan(lines: list[str], told: set[int]) -> Scanned:
    """The pairs and calls of some lines; those in `told` are log and no configuration."""
    scanner = Scanner()
    for number, line in enumerate(lines):
        if number in told:
            continue
        scanner.line(line[:LONGEST_LINE], number)
        if len(scanner.pairs) > MOST_PAIRS:
            break
    scanner.finish()
    return Scanned(scanner.pairs, scanner.calls, lines)


def unquoted(line: str) -> str:
    """A line without the marks of a quoted mail or chat message."""
    found = QUOTED.match(line)
    return (line[found.end() :] if found else line).replace("\t", "  ").rstrip("\r")


class Scanner:
    """Reads line after line; knows which sections are open."""

    def __init__(self) -> None:
        self.pairs: list[Pair] = []
        self.calls: list[tuple[str, int]] = []
        self.open: list[Section] = []
        self.number = 0
        self.body = ""
        self.token: re.Match[str] | None = None

    def line(self, line: str, number: int) -> None:
        """Add the pairs of one line."""
        self.number = number
        if line.lstrip().startswith("```"):
            self.finish()
            return
        body = COMMENT.sub("", line) if "#" in line else line
        if not body.strip():
            return
        item = ITEM.match(body)
        indent = len(body) - len(body.lstrip())
        self._leave(indent, is_item=item is not None)
        at = item.end() if item else 0
        if item and self._bare_item(body[at:].strip()):
            return
        self._tokens(body, at, indent if not item else item.end())

    def finish(self) -> None:
        """Close whatever is still open: the rest was cut off."""
        while self.open:
            self._close()

    def _leave(self, indent: int, *, is_item: bool) -> None:
        """YAML sections end where the indentation goes back."""
        while self.open and self.open[-1].kind == "yaml":
            if indent > self.open[-1].indent or (is_item and indent == self.open[-1].indent):
                return
            self._close()

    def _bare_item(self, body: str) -> bool:
        """A list item that is a value itself: `- q_proj`."""
        if not self.open or self.open[-1].kind not in ("yaml", "list") or ": " in body or body.endswith(":"):
            return False
        self.open[-1].items.append(body.strip("\"' ,"))
        return True

    def _tokens(self, body: str, at: int, indent: int) -> None:
        if not SIGN.search(body, at):
            return
        self.body = body
        while found := TOKEN.search(body, at):
            self.token = found
            at = found.end()
            kind = found.lastgroup
            if kind == "key" or kind == "text_key":
                at = self._value(found["name"] or found["text_name"], found[kind], at, indent)
            elif kind == "flag":
                at = self._flag(found["flag"], at)
            elif kind == "call":
                at = self._call(found["name"], at)
            elif kind == "close":
                self._close_bracket()
            elif kind == "open":
                self._push(Section("", "brace" if found["open"] == "{" else "list"))
            elif self.open:
                self._bare_text(found["text"])

    def _flag(self, key: str, at: int) -> int:
        """`--key value`, `--key=value` or `--key` alone."""
        text = TEXT.match(self.body, at)
        found = text or FLAG_VALUE.match(self.body, at)
        if found is None or (found[0].startswith("-") and not found[0][1:2].isdigit()):
            return self._add(key, None, "flag", end=at)
        items = [inside(text) if text else found[0]]
        end = found.end()
        while len(items) < MOST_FLAG_VALUES and (more := NEXT_WORD.match(self.body, end)):
            items.append(more[1])
            end = more.end()
        several = tuple(items) if len(items) > 1 and key.replace("-", "_") in TAKE_SEVERAL else ()
        return self._add(key, items[0], "flag", end=end if several else found.end(), quoted=bool(text), items=several)

    def _value(self, key: str, sep: str, at: int, indent: int) -> int:
        """What stands behind `key:` or `key=`."""
        in_call = sep == "=" and any(part.kind == "call" for part in self.open)
        form = "call" if in_call else ("colon" if sep == ":" else "equals")
        if text := TEXT.match(self.body, at):
            return self._add(key, inside(text), form, end=text.end(), quoted=True)
        if parts := LIST.match(self.body, at):
            return self._add(key, parts[1].strip(), form, end=parts.end(), items=tuple(PART.findall(parts[1])))
        if self.body[at : at + 1] in ("[", "(", "{"):
            self._push(Section(key, "brace" if self.body[at] == "{" else "list"))
            return at + 1
        found = WORD.match(self.body, at)
        if found is None:
            if not self.body[at:].strip(" ,|>-&"):
                self._add(key, None, form, end=at)
                if form == "colon":
                    self._push(Section(key, "yaml", indent))
            return at
        if self.body[found.end() : found.end() + 1] == "(":
            return at  # the value is a call: it is read as the next token
        more = MORE_WORDS.match(self.body, found.end())
        end = more.end() if more else found.end()
        return self._add(key, self.body[at:end], form, end=end)

    def _bare_text(self, text: str) -> None:
        """A string without a key: one of a list, or the name of the model that is loaded."""
        section = self.open[-1]
        loads = section.kind == "call" and section.name == LOADS and not section.items
        if section.kind == "list" or loads:
            section.items.append(text)

    def _call(self, name: str, at: int) -> int:
        self.calls.append((name, self.number))
        self._push(Section(name.rsplit(".", 1)[-1], "call"))
        return at

    def _push(self, section: Section) -> None:
        if len(self.open) < DEEPEST:
            self.open.append(section)

    def _close_bracket(self) -> None:
        while self.open:
            kind = self.open[-1].kind
            self._close()
            if kind != "yaml":
                return

    def _close(self) -> None:
        section = self.open.pop()
        if section.items and section.name:
            items = tuple(section.items[:MOST_ITEMS])
            self._add(section.name, ",".join(items), "list", items=items)

    def _add(
        self, key: str, value: str | None, form: str, *, end: int = 0, quoted: bool = False, items: tuple[str, ...] = ()
    ) -> int:
        """Note a pair; returns where its value ends."""
        *before, last = normal(key).split(".")
        path = (*[normal(part.name) for part in self.open if part.name], *before)
        start = self.token.start() if self.token and end else 0
        rest = self.body[end:].lstrip() if end else ""
        alone = form != "colon" or not rest or rest[0] in ",;}])\\"
        named = bool(self.token and end and self.token["quote"])
        self.pairs.append(Pair(last, value, path, self.number, form, quoted, items, start, end, alone, named))
        return end


def inside(text: re.Match[str]) -> str:
    """The text between quotes of either kind."""
    return text[1] if text[1] is not None else text[2]


def normal(key: str) -> str:
    """A key in small letters with underscores."""
    return key.lower().replace("-", "_").strip("_")


def known_values(pairs: list[Pair]) -> Iterator[tuple[str, str]]:
    """Names that a script gives to values: `MODEL = "Qwen/Qwen3-8B"`."""
    for pair in pairs:
        if pair.form == "equals" and pair.value and not pair.path:
            yield pair.key, pair.value
