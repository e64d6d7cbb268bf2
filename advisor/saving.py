"""What one setting saves: the same set-up with and without it."""

from typing import Any

from advisor.case import Case

LEAN_OPTIMIZERS = frozenset({"adamw_8bit", "paged_adamw_8bit", "adafactor", "adam_8bit", "paged_adamw", "lion_8bit"})
NARROW = frozenset({"qv", "qkvo", "attention", "mlp"})
"""Fewer layers than all that an adapter can sit on."""
WAYS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "activation_offload": (
        {"activation_offload": True, "grad_checkpointing": True},
        {"activation_offload": None, "grad_checkpointing": True},
    ),
    "grad_checkpointing": ({"grad_checkpointing": True}, {"grad_checkpointing": False}),
    "fused_loss": ({"fused_loss": True}, {"fused_loss": False}),
    "attention": ({"attention": "flash"}, {"attention": "eager"}),
}
"""A setting → the slots with it and without it."""


def setting(case: Case) -> str | None:
    """The one setting whose saving is asked for."""
    query = case.query
    if "asks_saving" not in case.symptoms or not case.sized or case.apple:
        return None
    if query.optimizer in LEAN_OPTIMIZERS:
        return "optimizer"
    named = {
        "activation_offload": query.activation_offload or query.offload == "activations",
        "fused_loss": query.fused_loss is not None,
        "attention": query.attention == "flash" and not _too_old(case),
        "grad_checkpointing": query.grad_checkpointing is not None,
    }
    if query.lora_targets in NARROW and not case.full:
        return "lora_targets"
    return next((name for name, is_named in named.items() if is_named), None)


def _too_old(case: Case) -> bool:
    """A card that FlashAttention does not run on: a rule says so."""
    return any(gpu.supports.flash_attention_2.startswith("no") for gpu in case.gpus)


def saving(case: Case) -> dict[str, Any] | None:
    """Bytes with and without the setting on the last stack, and what the card makes of both."""
    name = setting(case)
    if name is None:
        return None
    on: dict[str, Any]
    off: dict[str, Any]
    if name == "optimizer":
        on, off = {"optimizer": case.query.optimizer}, {"optimizer": "adamw"}
    elif name == "lora_targets":
        on, off = {"lora_targets": case.query.lora_targets}, {"lora_targets": "all-linear"}
    else:
        on, off = WAYS[name]
    base: dict[str, Any] = {"offload": None} if case.query.offload == "activations" else {}
    having, lacking = (case.need(case.stacks[-1], **base | slots) for slots in (on, off))
    return {
        "setting": name,
        "optimizer": case.query.optimizer,
        "on": having.device,
        "off": lacking.device,
        "saved": max(0, lacking.device - having.device),
        "on_fit": having.fit,
        "off_fit": lacking.fit,
        "stack": having.stack,
        **case.where,
    }
