"""The run by which cards and trainers are compared: QLoRA on an 8B at 2,048 tokens, whatever else a question states."""

from typing import Any

from advisor.stacks import LORA_RANK, LORA_TARGETS

PLAIN: dict[str, Any] = {
    "model": None,
    "arch": None,
    "algorithm": None,
    "offload": None,
    "quant": None,
    "compute_dtype": None,
    "weight_bits": None,
    "n_gpus": 1,
    "sharding": "none",
    "seq_len": 2048,
    "micro_batch": 1,
    "grad_checkpointing": True,
}
"""What a question may state and the table of sizes leaves out."""
ADAPTERS: dict[str, Any] = {"optimizer": "adamw_8bit", "lora_rank": LORA_RANK, "lora_targets": LORA_TARGETS}
"""What adapters are counted with, whatever a question states."""
EIGHT_B: dict[str, Any] = PLAIN | ADAPTERS | {"params_b": 8.0, "method": "qlora"}
"""The run by which speeds are compared."""
