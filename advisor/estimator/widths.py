"""In which type weights are kept, trained and computed with: part of a plan."""

import re
from typing import Any

from advisor.estimator import names
from advisor.estimator.architectures import STORED_FP32
from advisor.estimator.choices import adapter_bytes_of, autocast_and_bits, first_stated, state_bytes_of
from advisor.estimator.profile import Profile
from advisor.estimator.shape import Shape
from advisor.estimator.sharding import SHARDED
from advisor.query import SetUp

PURE = re.compile(r"pure|true", re.IGNORECASE)
"""Words in a type that make the weights themselves 16 bit: pure_bf16, bf16-true."""
LEFT_AS_THEY_ARE = ("gptq", "aqlm", "eetq", "torchao", "hqq")
"""Quantised weights beside which peft's k-bit preparation widens nothing (peft 0.21.2 utils/other.py)."""
Fields = dict[str, Any]


def _trained_bytes(setup: SetUp, profile: Profile, shape: Shape, parallel: Fields, bits: float) -> int:
    """Bytes of a weight in full fine-tuning: fp32 where the stack keeps or makes it so; never less than 16 bit."""
    if parallel["deepspeed"]:
        return 2
    pure = PURE.search(setup.compute_dtype or "") is not None
    widened = parallel["sharding"] == "fsdp" and profile.fsdp_upcasts
    if parallel["sharding"] == "fsdp2":
        widened = profile.fsdp2_upcasts and not pure and autocast_and_bits(setup, profile, True)[0]
    stored = profile.hf_trainer and not pure and shape.model_type in STORED_FP32
    master = profile.master_fp32 and "pure" not in (setup.compute_dtype or "").lower() and not _is_badam(setup)
    return 4 if widened or stored or master or bits > 16 else 2


def _is_badam(setup: SetUp) -> bool:
    return "badam" in f"{setup.method} {setup.optimizer}".lower()


def weights_of(setup: SetUp, profile: Profile, shape: Shape, parallel: Fields, method: str, bits: float) -> Fields:
    """What the weights are, in which type they are trained and computed with."""
    full = method == "full"
    autocast, full_bits = autocast_and_bits(setup, profile, full)
    quant, double = names.quant_of(setup.quant, bits)
    adapter_bytes = adapter_bytes_of(setup, profile, method)
    trainable = _trained_bytes(setup, profile, shape, parallel, full_bits) if full else adapter_bytes
    prepares = profile.kbit and parallel["sharding"] not in SHARDED
    return {
        "weight_bits": 8.0 * trainable if full else bits,
        "quant": "none" if full else quant,
        "double_quant": first_stated(setup.double_quant, double, profile.double_quant),
        "autocast": autocast,
        "kbit": method == "qlora" and quant not in LEFT_AS_THEY_ARE and first_stated(setup.kbit_prepare, prepares),
        "adapter_bytes": adapter_bytes,
        "trainable_bytes": trainable,
        "state_bytes": state_bytes_of(setup, trainable),
    }
