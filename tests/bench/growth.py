"""What a catalog ten times as large costs: python -m tests.bench.growth

Every card and every model is there ten times, nine of them under names of their own; loading, the first answer and the
following ones are timed on both, each in a fresh process.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from knowledge.catalog import FACTS
from knowledge.compiled import load_yaml_tree
from tests.bench.table import Row, percentile, show
from tests.paths import ROOT

TIMES = 10
TEXTS = [
    "13b qlora", "llama 3.1 8b qlora on a 3090", "which gpu for qwen3 14b lora", "does mistral 7b full fit on 2x 4090?",
    "3090 or 5090 for 13b", "how much context for llama 3 8b on a 4070 ti super", "was ist qlora?", "70b auf zwei 3090",
]  # fmt: skip
PROBE = """
import json, sys, time
from pathlib import Path
import knowledge.catalog
from knowledge import compiled
load, tree, texts = compiled.load_yaml_tree, Path(sys.argv[1]), json.loads(sys.argv[2])
compiled.load_yaml_tree = lambda folder, *rest, **more: (
    json.loads(tree.read_bytes()) if folder == knowledge.catalog.FACTS else load(folder, *rest, **more))
begun = time.process_time()
catalog = knowledge.catalog.load_catalog()
loaded = time.process_time() - begun
from bot.messages import Question
from bot.pipeline import answer
begun = time.process_time()
answer(Question(text=texts[0]))
first = time.process_time() - begun
for text in texts:
    given = answer(Question(text=text))
    assert given.error is None, given.error_detail
spent = []
for number in range(25):
    for text in texts:
        begun = time.process_time()
        answer(Question(text=f"{text} {4096 + 64 * number} tokens"))
        spent.append(time.process_time() - begun)
import psutil
entries = len(catalog.gpus) + len(catalog.models)
print(json.dumps([entries, loaded, first, spent, psutil.Process().memory_info().rss / 2**20]))
"""


def enlarged(tree: dict[str, Any], times: int) -> dict[str, Any]:
    """The facts with every card and every model so many times; the copies have ids, names and aliases of their own."""
    large = dict(tree)
    for file, families in tree.items():
        if file.split("/")[0] in ("gpus", "models"):
            large[file] = {family: _copies(entries, times) for family, entries in families.items()}
    return large


def _copies(entries: dict[str, Any], times: int) -> dict[str, Any]:
    found = {}
    for key, entry in entries.items():
        found[key] = entry
        for number in range(1, times):
            copy = dict(entry)
            for name in ("aliases", "siblings"):
                if name in entry:
                    copy[name] = [
                        f"{text} k{number}" if name == "aliases" else f"{text}-K{number}" for text in entry[name]
                    ]
            if "name" in entry:
                copy["name"] = f"{entry['name']} K{number}"
            found[f"{key}-K{number}" if "/" in key else f"{key}-k{number}"] = copy
    return found


def probe(tree: dict[str, Any], folder: Path) -> tuple[int, float, float, list[float], float]:
    """Entries, CPU seconds of loading and of the first answer, of each later one, and MiB."""
    file = folder / "facts.json"
    file.write_text(json.dumps(tree), encoding="utf-8")
    command = [sys.executable, "-c", PROBE, str(file), json.dumps(TEXTS)]
    runs = [json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout) for _ in range(3)]
    best = min(runs, key=lambda run: sum(run[3]))
    return best[0], min(run[1] for run in runs), min(run[2] for run in runs), best[3], best[4]


async def rows(quick: bool) -> list[Row]:
    """Both catalogs, and how much more the larger one costs."""
    tree = load_yaml_tree(FACTS)
    with tempfile.TemporaryDirectory(prefix="whichgpu-bench-") as folder:
        small = probe(tree, Path(folder))
        large = probe(enlarged(tree, TIMES), Path(folder))
    grown = large[0] / small[0]
    found = []
    for name, before, after in (
        ("loading the catalog, CPU", small[1], large[1]),
        ("the first answer, CPU", small[2], large[2]),
        ("an answer, CPU, p50", percentile(small[3], 0.5), percentile(large[3], 0.5)),
        ("an answer, CPU, p99", percentile(small[3], 0.99), percentile(large[3], 0.99)),
    ):
        times = after / before
        figure = f"{before * 1000:.1f} ms -> {after * 1000:.1f} ms = {times:.1f} x"
        found.append(
            Row(f"catalog x {grown:.0f} ({small[0]} -> {large[0]}): {name}", figure, f"< {grown:.0f} x", times < grown)
        )
    return [*found, Row(f"catalog x {grown:.0f}: memory", f"{small[4]:.0f} -> {large[4]:.0f} MiB")]


if __name__ == "__main__":
    show(asyncio.run(rows(False)))
