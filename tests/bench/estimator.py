"""How long one estimate takes, in microseconds of one core: python tests/bench/estimator.py."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from advisor.estimator import estimate, estimate_plan, resolve
from advisor.query import SetUp
from knowledge.catalog import load_catalog

SETUPS = [
    SetUp(model=model, method=method, seq_len=seq_len, micro_batch=1, trainer=trainer)
    for model in ("meta-llama/Llama-3.1-8B", "Qwen/Qwen3-30B-A3B", "google/gemma-2-9b")
    for method in ("full", "lora", "qlora")
    for seq_len in (1024, 8192)
    for trainer in ("trl", "unsloth", "torchtune")
]


def microseconds(run: Callable[[Any], object], items: Sequence[Any], times: int = 30) -> float:
    for item in items:
        run(item)
    start = time.process_time()
    for _ in range(times):
        for item in items:
            run(item)
    return 1e6 * (time.process_time() - start) / times / len(items)


if __name__ == "__main__":
    catalog = load_catalog()
    plans = [resolve(setup, catalog) for setup in SETUPS]
    print(f"resolve        {microseconds(lambda setup: resolve(setup, catalog), SETUPS):6.1f} µs")
    print(f"estimate_plan  {microseconds(estimate_plan, plans):6.1f} µs")
    print(f"estimate       {microseconds(lambda setup: estimate(setup, catalog), SETUPS):6.1f} µs")
