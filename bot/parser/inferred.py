"""What follows from the words that are stated: QLoRA is 4-bit, 4-bit training is QLoRA, ZeRO is DeepSpeed."""

from advisor.asked import ROLLOUTS
from bot.parser.findings import Findings
from bot.parser.slots import Slots
from bot.parser.wordings import MORE_THAN_TWO


def infer(slots: Slots, findings: Findings, apple: bool) -> None:
    """What follows from what is stated: QLoRA is 4-bit, 4-bit training is QLoRA, ZeRO is DeepSpeed."""
    values, methods = slots.values, slots.methods
    bits = values.get("weight_bits")
    if values.get("method") == "qlora":
        slots.assume("weight_bits", 4.0)
    if bits == 4 and values.get("method") == "lora" and len(methods) == 1:
        values["method"] = "qlora"
    if "method" not in values and len(methods) < MORE_THAN_TWO:
        _infer_method(slots, bits == 4 and (findings.has("training") or not _of_a_file(findings)))
    fsdp_qlora = values.get("sharding") == "fsdp" and values.get("method") == "qlora"  # there ZeRO is another run's
    if "deepspeed" in findings.marks and not fsdp_qlora:
        slots.assume("trainer", "deepspeed")
    if "unsloth_generates" in findings.marks and values.get("algorithm") in ROLLOUTS:
        slots.assume("trainer", "unsloth")  # its names for vLLM beside training
    if apple:
        slots.assume("os", "macos")


def _of_a_file(findings: Findings) -> bool:
    """Whether the bits are those of a GGUF file (Q4_K_M), which is run and not trained."""
    bits = [found.target.phrase for found in findings.slots if found.target.name == "weight_bits"]
    return bool(bits) and all(phrase[:1] == "q" for phrase in bits)


def _infer_method(slots: Slots, four_bit: bool) -> None:
    values = slots.values
    if four_bit:
        slots.assume("method", "qlora")
    elif values.get("optimizer") == "galore_adamw" and "lora" not in slots.methods:
        slots.drop("lora_rank")  # the rank of its projections
    elif values.get("lora_rank") or (values.get("trainer") == "peft" and not slots.methods):
        slots.assume("method", "lora")
    elif not slots.methods and (
        values.get("sharding") in ("zero2", "zero3", "fsdp") or values.get("algorithm") == "sft"
    ):
        slots.assume("method", "full")
