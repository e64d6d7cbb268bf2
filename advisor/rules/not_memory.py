"""A failure that is none of memory, however much memory the question speaks of: what it is, and what helps.

Source: documentation of PyTorch (CUDA semantics, multiprocessing), NCCL (troubleshooting), NVIDIA (Xid errors), Kaggle
and Colab (limits of a session), 2026-11; the FAQ pages ddp-hangs, low-utilization, crash-other and colab-limits.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE

CODES = (
    "device_assert", "illegal_access", "bus_error", "two_devices", "not_seen", "on_battery", "session_ends",
    "taken_back", "segfault", "wsl_slow", "hangs", "low_use",
)  # fmt: skip
"""Symptoms, the surest sign first."""
ON = CODES
SIGNS = frozenset(CODES)
BESIDE = frozenset({"two_devices", "not_seen"})
"""What says nothing of the question whether it fits: that is answered beside it."""
OF_WORDS = frozenset({"hangs", "low_use", "segfault", "taken_back"})
"""Signs that say something else where memory ran out, or the kernel ended it."""
OF_EXPERTS = frozenset({"low_use"})
"""What a mixture of experts does of itself: another rule says so (moe_is_slow)."""
FULL_RAM = frozenset({"killed", "tokenising_ram", "host_grows"})
"""What says that the machine's memory is full: it then stands still because it swaps."""
CHOOSES = frozenset({Kind.WHICH_GPU, Kind.COMPARE_GPUS, Kind.COST_BUY_VS_RENT})


def check(case: Case) -> Finding | None:
    """The surest of the signs, with what of the case its sentence needs."""
    died = bool(case.symptoms & (FAILURES | FULL_RAM))
    symptoms = case.symptoms - OF_EXPERTS if case.model is not None and case.model.moe else case.symptoms
    code = next((c for c in CODES if c in symptoms and not (died and c in OF_WORDS)), None)
    if code is None or (code == "session_ends" and case.query.kind in CHOOSES):
        return None
    if code == "two_devices" and case.query.trainer == "unsloth":
        return None  # of Unsloth a rule of its own says more
    facts: dict[str, Any] = {"alone": None, "alone_fit": None, "usable": case.usable}
    if code == "two_devices" and case.sized and case.usable is not None:
        bare: dict[str, Any] = {"method": "qlora", "weight_bits": None, "quant": None, **ALL_ON_ONE}
        need = case.need(case.stacks_of_one[0], **bare)
        facts |= {"alone": need.device, "alone_fit": need.fit}
    return stop(
        why=code,
        beside=code in BESIDE,
        several=case.n_cards > 1,
        windows=(case.query.os or "").startswith("windows"),
        load=2 * case.params if case.params and code == "segfault" else None,
        small=[case.micro_batch, case.seq_len] if case.query.seq_len and case.query.micro_batch else None,
        seen=[(float(s), float(s)) for s in case.query.named.get("seen_s_per_step", ())][:2] or None,
        model=case.model_name if case.sized else None,
        **facts,
    )
