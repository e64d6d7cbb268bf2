"""Writes a first version of a new entry into the files, and only when the whole is sound after it."""

import re
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from knowledge import compiled
from knowledge.check import facts_faults
from knowledge.check_language import LANG
from knowledge.faults import Fault, KnowledgeFaults

Write = Callable[[], Path]
"""Writes something and says where; raises KnowledgeFaults when it would not be sound."""

GPU_GROUPS: Mapping[str, tuple[str, ...]] = {
    "memory": ("vram_gb", "mem_type", "bandwidth_gb_s"),
    "compute": ("bf16_dense_tflops",),
    "board": ("tdp_w",),
    "sold": ("release_year", "still_sold_new"),
}
SHAPE = (
    "hidden_size",
    "layers",
    "heads",
    "kv_heads",
    "head_dim",
    "intermediate_size",
    "vocab_size",
    "tie_embeddings",
    "max_context",
)
GPU_FILES = {
    ("nvidia", "consumer"): "geforce.yaml",
    ("nvidia", "laptop"): "geforce-laptop.yaml",
    ("nvidia", "workstation"): "nvidia-workstation.yaml",
    ("nvidia", "datacenter"): "nvidia-datacenter.yaml",
    ("nvidia", "soc"): "nvidia-soc.yaml",
    ("amd", "datacenter"): "instinct.yaml",
    ("amd", ""): "radeon.yaml",
    ("intel", ""): "arc.yaml",
    ("apple", ""): "apple.yaml",
}


def new_gpu(facts: Path, gpu_id: str, values: Mapping[str, Any]) -> Path:
    """Add a card. `values`: fields of a Gpu and its family; 0 and "" mean not known."""
    known = {"still_sold_new": "yes", **_known(values)}
    family, vendor, segment = known.pop("family"), str(known["vendor"]), str(known["segment"])
    file = GPU_FILES.get((vendor, segment)) or GPU_FILES.get((vendor, "")) or f"{vendor}.yaml"
    entry = _grouped(known, GPU_GROUPS, ("name", "aliases", "vendor", "architecture", "segment", "compute_capability"))
    return _add(facts, f"gpus/{file}", _lines({gpu_id: entry}, 2), under=str(family))


def new_model(facts: Path, model_id: str, file: str, values: Mapping[str, Any]) -> Path:
    """Add a dense model. `values`: fields of a Model; 0, "" and False mean the default."""
    known = _known(values)
    family = known.pop("family")
    entry = _grouped(known, {"shape": SHAPE}, ("aliases",))
    name = re.sub(r"[^\w.-]", "-", file.removesuffix(".yaml"))
    return _add(facts, f"models/{name}.yaml", _lines({model_id: entry}, 2), under=str(family))


def new_price(facts: Path, gpu: str, values: Mapping[str, Any]) -> Path:
    """Add a price to a card."""
    return _add(facts, "prices.yaml", [f"  - {_flow(_known(values))}"], under=gpu)


def new_language(lang: Path = LANG, code: str = "", after: str = "en") -> Path:
    """Copy a language folder as the start of another."""
    if not re.fullmatch(r"[a-z]{2,3}", code):
        raise KnowledgeFaults([Fault(f"lang/{code}", "", "", "a language code is two or three small letters")])
    if not (lang / after).is_dir():
        raise KnowledgeFaults([Fault(f"lang/{after}", "", "", "no such language to start from")])
    if (lang / code).exists():
        raise KnowledgeFaults([Fault(f"lang/{code}", "", "", "exists already")])
    shutil.copytree(lang / after, lang / code, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return lang / code


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: value for key, value in values.items() if value not in ("", 0, None, False)}
    if isinstance(known.get("aliases"), str):
        known["aliases"] = [alias.strip() for alias in known["aliases"].split(",") if alias.strip()]
    return {key: int(v) if isinstance(v, float) and v.is_integer() else v for key, v in known.items()}


def _grouped(known: dict[str, Any], groups: Mapping[str, tuple[str, ...]], first: tuple[str, ...]) -> dict[str, Any]:
    entry = {key: known.pop(key) for key in first if key in known}
    for group, fields in groups.items():
        inner = {field: known.pop(field) for field in fields if field in known}
        if inner:
            entry[group] = inner
    return {**entry, **known, "checked": datetime.now(UTC).date().isoformat()}


def _lines(entries: Mapping[str, Mapping[str, Any]], indent: int) -> list[str]:
    pad = " " * indent
    lines = []
    for key, entry in entries.items():
        lines.append(f"{pad}{_flow(key)}:")
        lines += [f"{pad}  {field}: {_plain_date(_flow(value))}" for field, value in entry.items()]
    return lines


def _flow(value: object) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6, allow_unicode=True, sort_keys=False).strip()
    return _plain_date(text.removesuffix("...").strip())


def _plain_date(text: str) -> str:
    """Dates without the quotes that other readers of YAML would need."""
    return re.sub(r"'(\d{4}-\d{2}(?:-\d{2})?)'", r"\1", text)


def _add(facts: Path, file: str, lines: list[str], under: str) -> Path:
    """Put lines at the end of a top-level group; write only if the facts are sound then. Raises KnowledgeFaults."""
    path = facts / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    after = _inserted(text, under, lines)
    sources = [(p.relative_to(facts).as_posix(), p.read_bytes()) for p in sorted(facts.rglob("*.yaml")) if p != path]
    if faults := facts_faults(compiled.parse([*sources, (file, after.encode())])):
        raise KnowledgeFaults(faults)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(after, encoding="utf-8")
    return path


def _inserted(text: str, under: str, lines: list[str]) -> str:
    rows = text.rstrip("\n").split("\n") if text.strip() else []
    start = next((i for i, row in enumerate(rows) if row.rstrip() in (f"{_flow(under)}:", f"{under}:")), None)
    entry = lines[0].lstrip().startswith("- ")
    if start is None:
        return "\n".join([*rows, *([""] if rows else []), f"{_flow(under)}:", *lines]) + "\n"
    end = next((i for i in range(start + 1, len(rows)) if rows[i] and rows[i][0] not in " #-"), len(rows))
    while end > start + 1 and not rows[end - 1].strip():
        end -= 1
    return "\n".join([*rows[:end], *([] if entry else [""]), *lines, *rows[end:]]) + "\n"
