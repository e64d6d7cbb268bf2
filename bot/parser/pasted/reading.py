"""One text as a paste: which pairs count, what they say, and what is left."""

import re
from collections.abc import Iterable

from bot.parser.pasted import Pasted, derive, failures, logs, trainers
from bot.parser.pasted.keys import FOREIGN, KEYS
from bot.parser.pasted.rest import without
from bot.parser.pasted.scan import Pair, Scanned, arguments, lines_of, normal, scan

LONGEST = 20_000
"""Letters that are looked at."""

MOST_WEAK = 3
"""So many short keys (bs=1, r=8, ga=4) together are a configuration too."""
NAMES = frozenset(key.rstrip("+").rsplit(".", 1)[-1] for key in KEYS) | FOREIGN
KEY_LIKE = re.compile(r"(?<![\w.])([A-Za-z_][\w.-]{0,60}+)[\"']?[ \t]{0,8}[:=]|(?<![\w-])--([A-Za-z][\w.-]{0,60})")
TOLD = (
    *("Tried to allocate", "Traceback", "Killed", "killed", "SIGKILL", "signal 9", "OOMKill", "OOMkill", "MiB", "UUID"),
    *("Num G", "Num e", "Num E", "return code", "exit", "137", 'File "', "used ", "used=", "total capa", "max allowed"),
    *("OutOfMemory", "out of memory", "from_pretrained", "LoraConfig", "get_peft", "Trainer(", "Config(", "litgpt"),
    *("tune run", "Unsloth", "trainable", "atch size", "DefaultCPUAllocator", "MemoryError"),
)
OOM_KILL = re.compile("oom.kill")
"""Words of logs, tracebacks and calls."""
TOLD_CALLS = {
    *("loraconfig", "get_peft_model", "from_pretrained", "bitsandbytesconfig", "sftconfig", "trainingarguments"),
    *("sfttrainer", "dpoconfig", "grpoconfig", "ktoconfig", "orpoconfig", "ppoconfig", "seq2seqtrainingarguments"),
    *("dict", "trainer", "dpotrainer"),
}


def read_paste(text: str) -> Pasted | None:
    """The pasted part of a text, or None when it is all prose."""
    text = text[:LONGEST]
    if not (is_told(text) or keys_in(text)):
        return None
    lines = lines_of(text)
    failure = failures.read_failures("\n".join(lines), lines)
    log = logs.read_logs(lines)
    logged = (failure.lines if failure else set()) | (log.lines if log else set())
    scanned = scan([arguments(line) for line in lines], {n for n in logged if "'--" not in lines[n]})
    if any(pair.key in FOREIGN for pair in scanned.pairs):
        return None
    counted = list(counting(scanned))
    told = counted or log or failure or trainers.RECIPE.search(text)
    slots, model = derive.slots_of(text, scanned, counted) if told else ({}, None)
    if not (failure or log or counted or model or slots.get("method")):
        return None
    for part in (failure, log):
        slots = (part.slots if part else {}) | slots
    return Pasted(
        slots=slots,
        model=model,
        cards=tuple(log.cards) if log else (),
        symptoms=tuple(failure.symptoms) if failure else (),
        rest=without(scanned, counted, logged),
    )


def is_told(text: str) -> bool:
    """Whether a word of a log, a traceback or a call stands anywhere."""
    for word in TOLD:
        if word in text:
            return True
    return "oom" in text and OOM_KILL.search(text) is not None


def keys_in(text: str) -> bool:
    """Whether a known key stands before a colon or an equals sign, or as a flag."""
    if not (":" in text or "=" in text or "--" in text):
        return False
    found = (key[1] or key[2] for key in KEY_LIKE.finditer(text))
    return any(normal(key).rsplit(".", 1)[-1] in NAMES for key in found)


def counting(scanned: Scanned) -> Iterable[Pair]:
    """The pairs that are configuration: those with an unmistakable key, and the short ones beside them."""
    known = [(pair, is_strong(pair)) for pair in scanned.pairs if says_something(pair)]
    strong = any(strong for _, strong in known)
    if not strong and len({pair.key for pair, _ in known if pair.alone}) < MOST_WEAK:
        return ()
    return [pair for pair, certain in known if certain or pair.alone]


def says_something(pair: Pair) -> bool:
    """Whether the key is known and its value can be read."""
    return any(meaning.read(pair) is not None for meaning in derive.meanings(pair))


def is_strong(pair: Pair) -> bool:
    """A key that nobody writes in prose: with an underscore, as a flag, quoted, or an argument of a known call."""
    return "_" in pair.key or pair.form == "flag" or pair.named or bool(TOLD_CALLS.intersection(pair.path))
