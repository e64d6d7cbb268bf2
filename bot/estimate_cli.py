"""`whichgpu estimate --batch` and its kin: lines of JSON in, one object a line out; no line stops the others."""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import Field, ValidationError

from advisor.errors import AdvisorError
from advisor.estimator import Estimate, estimate, outside
from advisor.estimator.written import as_fields
from advisor.machine import standing
from advisor.query import SetUp
from bot.hub_config import arch_of
from knowledge.catalog import load_catalog

GIB = 2**30
FIELDS = frozenset(SetUp.model_fields)
OF_THE_MACHINE = frozenset({"gpus", "vram_gb", "ram_gb"})
"""Fields that say what the run stands on, not how it is set up."""


class _Stated(SetUp):
    """A line of the input: the set-up, and the RAM that there is."""

    ram_gb: float | None = Field(default=None, gt=0)


def _gib(size: float) -> float:
    return round(size / GIB, 4)


def _outside(found: Estimate) -> dict[str, float]:
    """Peaks outside of the training step: evaluation with the trainer's own batch, merging on the GPU."""
    peaks = outside(found.plan)
    merge = {} if peaks.merge is None else {"merge": _gib(peaks.merge)}
    return {"evaluation": _gib(peaks.evaluation)} | merge


def _answer(found: Estimate, ram_gb: float | None) -> dict[str, Any]:
    at = standing(found, load_catalog(), ram_gb)
    ram_is_ours = at.ram_assumed and at.ram is not None
    return {
        "allocated_gib": _gib(found.allocated),
        "reserved_gib": _gib(found.reserved),
        "device_gib": _gib(found.device),
        "low_gib": _gib(found.low),
        "high_gib": _gib(found.high),
        "moment": found.moment,
        "components": {name: _gib(size) for name, size in found.components.items()},
        "outside_gib": _outside(found),
        "host_ram_gib": _gib(found.host_ram),
        "ram_gb": None if at.ram is None else round(at.ram / GIB, 1),
        "fit": at.fit,
        "limited_by": at.limited_by,
        "tokens_per_s": found.tokens_per_s,
        "tokens_per_s_low": found.tokens_per_s_low,
        "tokens_per_s_high": found.tokens_per_s_high,
        "assumed": [*found.assumed, *(["ram_gb"] if ram_is_ours else [])],
    }


def _error(code: str, message: str, fix: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "fix": fix}}


def _bad_field(fault: ValidationError) -> dict[str, Any]:
    first = fault.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"][:1])
    return _error(
        "bad_value", f"{field}: {first['msg']}", f"give {field} as the README's table of fields says, or leave it out"
    )


def estimate_line(raw: dict[str, Any]) -> dict[str, Any]:
    """One set-up as a mapping → one answer as a mapping; never raises on what a user wrote."""
    stated = {key: value for key, value in raw.items() if value is not None and key != "id"}
    ignored = [str(key)[:60] for key in stated if key not in FIELDS and key not in OF_THE_MACHINE][:50]
    stated = as_fields(stated)
    if isinstance(stated.get("arch"), dict) and "layers" not in stated["arch"]:
        stated["arch"] = arch_of(stated["arch"]) or stated["arch"]
    try:
        setup = _Stated.model_validate({key: stated[key] for key in stated.keys() & (FIELDS | {"ram_gb"})})
        found = estimate(setup, load_catalog())
    except ValidationError as fault:
        return _bad_field(fault)
    except AdvisorError as fault:
        return _error(fault.code, fault.message, fault.fix)
    unknown = {slot: {"asked": asked, "nearest": list(near)} for slot, (asked, near) in found.plan.unknown.items()}
    also = {"ignored": ignored, "unknown": unknown}
    return _answer(found, setup.ram_gb) | {key: value for key, value in also.items() if value}


def estimate_batch(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """One answer per line that is not empty, in order."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            raw = None
        if not isinstance(raw, dict):
            yield {"id": None, "line": number} | _error(
                "not_json",
                f"line {number} is not a JSON object",
                'write one object a line, such as {"id": "a", "model": "..."}',
            )
            continue
        yield {"id": raw.get("id")} | estimate_line(raw)


def measured() -> None:
    """How well the estimator matches the published measurements, per source."""
    from bot.measured import print_measured

    print_measured()


def fit() -> None:
    """Fit the memory coefficients to the published measurements again: before, after, each source left out."""
    from bot.measured import print_fit

    print_fit()


def main() -> None:
    """`python -m bot.estimate_cli --batch FILE|-`."""
    from bot.cli import lines

    source = sys.argv[sys.argv.index("--batch") + 1] if "--batch" in sys.argv[:-1] else "-"
    lines.write(estimate_batch(lines.text_lines(source)))


if __name__ == "__main__":
    main()
