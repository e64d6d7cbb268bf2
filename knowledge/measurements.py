"""The published memory measurements, as rows to stand beside an estimate. Loaded when first asked for."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "measured" / "memory.jsonl"
EXACT = ("exact", "packed")
"""Rows whose length is what was trained, not only a cap."""


@lru_cache(maxsize=1)
def load_measurements() -> tuple[Mapping[str, Any], ...]:
    """Rows of high confidence with an exact length; fields as in knowledge/measured/README.md, `gib` is the figure."""
    rows = (json.loads(line) for line in FILE.read_text("utf-8").splitlines() if line.strip())
    return tuple(
        row for row in rows if row.get("confidence") == "high" and row.get("seq_kind") in EXACT and row.get("gib")
    )
