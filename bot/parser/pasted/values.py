"""Values of pasted keys as slot values; None for what says nothing (auto, null, a variable's name)."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from bot.parser.pasted.scan import Pair

Read = Callable[[Pair], Any]

NOTHING = {"", "null", "none", "~", "auto", "default", "todo"}
TRUE = {"true", "yes", "on", "1"}
FALSE = {"false", "no", "off", "0"}
WHOLE = re.compile(r"(\d[\d_,]{0,14})(?:\.0*)?([kK])?$")
NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,6})?$")
LARGEST = 10**9


def word(pair: Pair) -> str:
    """The value in small letters, without quotes around it."""
    return (pair.value or "").strip("\"' ").lower()


def whole(pair: Pair) -> int | None:
    """A positive whole number: 2048, 2_048, 2048.0, 4k."""
    found = WHOLE.match((pair.value or "").strip("\"' "))
    if found is None:
        return None
    number = int(found[1].replace("_", "").replace(",", "")) * (1024 if found[2] else 1)
    return number if 0 < number <= LARGEST else None


def number(pair: Pair) -> float | None:
    """A positive number."""
    text = (pair.value or "").strip("\"' ")
    return float(text) or None if NUMBER.match(text) else None


def yes_no(pair: Pair) -> bool | None:
    """true or false; a bare flag is true."""
    if pair.value is None:
        return True if pair.form == "flag" else None
    text = word(pair)
    return True if text in TRUE else False if text in FALSE else None


def opposite(pair: Pair) -> bool | None:
    """The reverse of a switch that turns something off."""
    value = yes_no(pair)
    return None if value is None else not value


def when_true(value: Any) -> Read:
    """This value when the switch is on."""
    return lambda pair: value if yes_no(pair) else None


def when_set(value: Any) -> Read:
    """This value when the key has any."""
    return lambda pair: value if word(pair) not in NOTHING else None


def table(values: Mapping[str, Any]) -> Read:
    """The value of a word; longer words that begin or end with one of the table's are not guessed."""
    return lambda pair: values.get(word(pair).replace("-", "_"))


def containing(values: Mapping[str, Any]) -> Read:
    """The value of the first table entry that the word contains."""

    def read(pair: Pair) -> Any:
        text = word(pair).replace("-", "_")
        return next((value for part, value in values.items() if part in text), None)

    return read


def targets(pair: Pair) -> tuple[str, ...] | str | None:
    """Module names that get adapters, or "all-linear"."""
    names = pair.items or tuple(
        part for part in re.split(r"[,\s]+", (pair.value or "")[:600].strip("\"'[]() ")) if part
    )
    if not names:
        return None
    if names[0].lower().replace("_", "-") in ("all", "all-linear"):
        return "all-linear"
    found = tuple(name.rsplit(".", 1)[-1] for name in names if re.fullmatch(r"[\w.]{1,60}", name))
    return found[:40] or None


def model_name(pair: Pair) -> str | None:
    """A hub id or the last part of a path; None for a bare variable."""
    text = (pair.value or "").strip("\"' ").rstrip("/")
    if text.lower() in NOTHING or "$" in text or "{" in text or "<" in text:
        return None
    if text.startswith(("/", "./", "../", "~", "checkpoints/", "models/")) or text.count("/") > 1 or "\\" in text:
        text = from_path(text)
    if not any(mark in text for mark in "/0123456789") or not any(letter.isalpha() for letter in text):
        return None
    return text[:120]


def from_path(path: str) -> str:
    """The part of a path that names the model: hub caches say models--owner--name, others use the last folder."""
    parts = [part for part in re.split(r"[/\\]", path) if part]
    for part in parts:
        if part.startswith("models--"):
            return "/".join(part.split("--")[1:3])
    named = [part for part in parts if any(c.isdigit() for c in part) and not re.fullmatch(r"[0-9a-f]{16,64}", part)]
    return named[-1] if named else (parts[-1] if parts else "")


DTYPES = {
    "bfloat16": "bf16",
    "bf16": "bf16",
    "float16": "fp16",
    "fp16": "fp16",
    "half": "fp16",
    "float32": "fp32",
    "fp32": "fp32",
}
dtype = containing(DTYPES)

OPTIMIZERS = {
    "paged_adamw_8bit": "paged_adamw_8bit",
    "pagedadamw8bit": "paged_adamw_8bit",
    "paged_adamw_32bit": "paged_adamw_32bit",
    "paged_adamw": "paged_adamw_32bit",
    "pagedadamw": "paged_adamw_32bit",
    "paged_lion_8bit": "lion_8bit",
    "galore_adamw_8bit": "galore_adamw_8bit",
    "galore": "galore_adamw",
    "apollo": "apollo_adamw",
    "adalomo": "adalomo",
    "lomo": "lomo",
    "lion_8bit": "lion_8bit",
    "lion": "lion",
    "adamw_4bit": "adamw_4bit",
    "adamw4bit": "adamw_4bit",
    "adamw_fp8": "adamw_fp8",
    "adamw_bnb_8bit": "adamw_8bit",
    "adamw_torch_8bit": "adamw_8bit",
    "adamw_8bit": "adamw_8bit",
    "adamw8bit": "adamw_8bit",
    "adam8bit": "adamw_8bit",
    "adafactor": "adafactor",
    "muon": "muon",
    "adamw": "adamw",
    "cpuadam": "adamw",
    "fusedadam": "adamw",
    "adam": "adamw",
    "sgd": "sgd",
}
optimizer = containing(OPTIMIZERS)

ATTENTION = {
    "flash": "flash",
    "fa2": "flash",
    "fa3": "flash",
    "sdpa": "sdpa",
    "eager": "eager",
    "disabled": "eager",
    "flex": "flex",
    "xformers": "xformers",
}
attention = containing(ATTENTION)


def checkpointing(pair: Pair) -> bool | str | None:
    """true, false or "unsloth"; "offload" and "selective" are kinds of true."""
    text = word(pair)
    if text == "unsloth":
        return "unsloth"
    if text in ("offload", "offload_disk", "selective", "full"):
        return True
    return yes_no(pair)


STAGE = re.compile(r"(?:zero|stage|(?:^|[_/.-])[zs])[_-]?([0-3])(?![0-9])")
"""zero3, zero_2, stage3, ds_z3_config, deepspeed_config_s2."""


def sharding(pair: Pair) -> str | None:
    """From the name of a DeepSpeed config or an FSDP mode."""
    text = word(pair)
    found = STAGE.search(text)
    if found:
        return "ddp" if found[1] in "01" else f"zero{found[1]}"
    return "fsdp" if "shard" in text or "fsdp" in text else None


def offload(pair: Pair) -> str | None:
    """From the name of a DeepSpeed config: zero3_offload, zero2_bf16_cpuoffload_all ..."""
    text = word(pair)
    if "offload" not in text or any(mark in text for mark in ("no_offload", "no-offload", "nooffload")):
        return None
    return "params" if any(mark in text for mark in ("zero3", "z3", "param", "all", "shard")) else "optimizer"


def stage(pair: Pair) -> str | None:
    """DeepSpeed's stage number as a sharding."""
    return {"0": "ddp", "1": "ddp", "2": "zero2", "3": "zero3"}.get(word(pair))


def device(kind: str) -> Read:
    """`kind` when the device to offload to is there."""
    return lambda pair: kind if word(pair) in ("cpu", "nvme") else None
