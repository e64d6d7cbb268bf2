"""CUDA trainers and bitsandbytes do not run on a TPU.

Source: Unsloth, bitsandbytes (supported devices); Google, Tunix and MaxText (LoRA in JAX); Kaggle (TPU v3-8), 2026-11.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("names_tpu",)


def check(case: Case) -> Finding | None:
    """Say what does not run there, and what does."""
    if "names_tpu" not in case.symptoms or case.gpus or "uses_jax" in case.symptoms:
        return None
    return stop(trainer=case.query.trainer)
