"""All figures in one table: python -m tests.bench.table [--only NAME] [--quick]

Prints and asserts nothing: machines differ, and this one may be busy. Figures that name ../shared need that folder.
"""

import argparse
import asyncio
import importlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

PARTS = ("answers", "serve", "overhead", "store", "growth", "soak")
"""Each is a module here with `async def rows(quick) -> list[Row]`."""


@dataclass(frozen=True)
class Row:
    """One figure, and what issue or design ask of it ("" when nothing)."""

    what: str
    figure: str
    wanted: str = ""
    good: bool | None = None


def percentile(values: Sequence[float], share: float) -> float:
    """The value that so large a share is not above; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def show(rows: Sequence[Row]) -> None:
    """Print as a Markdown table."""
    print("| what | figure | wanted | |\n|---|---|---|---|")
    for row in rows:
        mark = {None: "", True: "yes", False: "**no**"}[row.good]
        print(f"| {row.what} | {row.figure} | {row.wanted} | {mark} |")


async def main() -> None:
    """Measure every part and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--quick", action="store_true", help="smaller numbers everywhere; a look, not a measurement")
    options = parser.parse_args()
    rows: list[Row] = []
    for name in options.only or PARTS:
        begun = time.monotonic()
        try:
            rows += await importlib.import_module(f"tests.bench.{name}").rows(options.quick)
        except Exception as error:  # one part that cannot run does not keep the others from being shown
            rows.append(Row(name, f"not measured: {type(error).__name__}: {error}"[:200]))
        print(f"{name}: {time.monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.1f}", flush=True)
    print()
    show(rows)


if __name__ == "__main__":
    asyncio.run(main())
