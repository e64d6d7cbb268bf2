"""JAX puts all arrays on the first card unless they are sharded, and reserves three quarters of it at its first step.

Source: JAX documentation, "GPU memory allocation" (75 % preallocated) and "Distributed arrays and automatic
parallelization" (arrays live on the default device).
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import FULL_ADAMW, UNSLOTH
from advisor.topics.multi_gpu.in_jax import PLAIN
from advisor.topics.usual import ADAPTERS

ON = ("uses_jax",)


def check(case: Case) -> Finding | None:
    """JAX puts all arrays on the first card unless they are sharded, and reserves three quarters of it."""
    if "uses_jax" not in case.symptoms:
        return None
    speak = stop if case.symptoms & FAILURES or case.n_cards > 1 else warn
    if not case.sized or (case.advice is not None and case.advice.verdict.code == "jax"):
        return speak(model=None, full=None, lora=None)
    full = case.need(FULL_ADAMW, method="full", **PLAIN)
    lora = case.need(UNSLOTH, method="lora", **PLAIN, **ADAPTERS)
    return speak(model=case.model_name, full=full.device, lora=lora.device)
