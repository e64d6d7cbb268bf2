"""The many names of methods, optimizers, targets and the like → the one that the terms know."""

import re
from collections.abc import Iterable, Sequence

from advisor.errors import UnknownName

ROLES = {
    "q": "q_proj query wq q attn.q_proj attention.wq q_a_proj q_b_proj",
    "k": "k_proj key wk k attention.wk kv_a_proj_with_mqa",
    "v": "v_proj value wv v attention.wv kv_b_proj",
    "o": "o_proj output_proj out_proj proj projection wo attn.c_proj self_attention.dense dense attention.wo attn_output",
    "qkv": "c_attn query_key_value w_pack qkv_proj wqkv qkv attention.wqkv in_proj_qkvz",
    "gate": "gate_proj gate w3 feed_forward.w1 mlp.gate_proj",
    "up": "up_proj up fc1 fc_in dense_h_to_4h c_fc feed_forward.w3 mlp.up_proj",
    "down": "down_proj down fc2 fc_out dense_4h_to_h feed_forward.w2 mlp.down_proj mlp.c_proj w2_down",
    "gate_up": "gate_up_proj",
    "head": "lm_head head output embed_out",
    "embed": "embed_tokens wte embedding word_embeddings tok_embeddings",
    "experts": "experts moe",
}
"""Role of a matrix → module names that trainers use for it (transformers 5.24, litgpt 0.5.13, torchtune 0.6.1)."""
ROLE_OF = {name: role for role, names in ROLES.items() for name in names.split()}
MLP_ROLES = ("gate", "up", "down")
ATTENTION_ROLES = ("q", "k", "v", "o")
WORDS: dict[str, tuple[str, ...]] = {
    "all": ATTENTION_ROLES + MLP_ROLES,
    "all-linear": ATTENTION_ROLES + MLP_ROLES,
    "qkvo": ATTENTION_ROLES,
    "attention": ATTENTION_ROLES,
    "attn": ATTENTION_ROLES,
    "self_attn": ATTENTION_ROLES,
    "qv": ("q", "v"),
    "qkv": ("q", "k", "v"),
    "mlp": MLP_ROLES,
}
QWEN1 = {"c_proj": ("o", "down"), "w1": ("gate",), "w2": ("up",)}
"""Qwen-1 names its gate and up w1 and w2, and both output matrices c_proj (modeling_qwen.py)."""
META = {"w1": ("gate",), "w2": ("down",), "w3": ("up",), "in_proj": ("q", "k", "v"), "linear": (), "fc": ("up",)}


def _words_of(targets: str | Sequence[str]) -> list[str]:
    if isinstance(targets, str):
        text = targets.strip().lower()
        head = re.split(r"[\s(]", text, maxsplit=1)[0]
        if head in WORDS:
            return [head]
        return [word for word in re.split(r"[\s,;+|]+", text) if word][:64]
    return [str(word).strip().lower() for word in targets][:512]


def roles_of(targets: str | Sequence[str], *, gated: bool, fused_qkv: bool, fused_gate_up: bool) -> frozenset[str]:
    """Roles that carry an adapter. Raises UnknownName when no name is known."""
    words = _words_of(targets)
    qwen1 = "c_attn" in words
    roles: set[str] = set()
    unknown: list[str] = []
    for word in words:
        plain = re.sub(r"\s*\([^()]*\)\s*$", "", word).strip()
        last = plain.rsplit(".", 1)[-1]
        if "(full" in word and ROLE_OF.get(last) in ("head", "embed"):
            roles.add(f"full_{ROLE_OF[last]}")
        elif plain in WORDS or last in WORDS:
            roles.update(WORDS.get(plain) or WORDS[last])
        elif qwen1 and last in QWEN1 and "." not in plain:
            roles.update(QWEN1[last])
        elif last in META and not qwen1:
            roles.update(META[last])
        elif qwen1 and last in QWEN1:
            roles.update(("o",) if plain.startswith("attn") else QWEN1[last])
        elif plain in ROLE_OF or last in ROLE_OF:
            roles.add(ROLE_OF.get(plain) or ROLE_OF[last])
        else:
            unknown.append(plain)
    if unknown and not roles:
        near = nearest(unknown[0], [*WORDS, *ROLE_OF])
        raise UnknownName(
            f"lora_targets: no matrix is called {unknown[0]!r}",
            f"name module names of the model, such as {', '.join(near)}, or all-linear",
            field="lora_targets",
            asked=unknown[0][:60],
            nearest=near,
        )
    return _as_built(roles, gated=gated, fused_qkv=fused_qkv, fused_gate_up=fused_gate_up)


def _as_built(roles: set[str], *, gated: bool, fused_qkv: bool, fused_gate_up: bool) -> frozenset[str]:
    """Roles as this architecture has them: one qkv matrix, no gate, ..."""
    if fused_qkv and roles & {"q", "k", "v", "qkv"}:
        roles = (roles - {"q", "k", "v"}) | {"qkv"}
    elif "qkv" in roles:
        roles = (roles - {"qkv"}) | {"q", "k", "v"}
    if fused_gate_up and roles & {"gate", "up", "gate_up"}:
        roles = (roles - {"gate", "up"}) | {"gate_up"}
    elif "gate_up" in roles:
        roles = (roles - {"gate_up"}) | {"gate", "up"}
    if not gated:
        roles = {("up" if role in ("gate", "gate_up") else role) for role in roles}
    return frozenset(roles)


def nearest(asked: str, known: Iterable[str], n: int = 3) -> tuple[str, ...]:
    """The nearest known names, best first."""
    from rapidfuzz import process

    return tuple(str(match[0]) for match in process.extract(asked.lower()[:80], sorted(set(known)), limit=n))


OPTIMIZER_PARTS = (
    # every word must be in the name; the first row that fits wins
    (("galore", "8"), "galore_8bit"),
    (("galore",), "galore"),
    (("apollo",), "apollo"),
    (("badam",), "badam"),
    (("adalomo",), "adalomo"),
    (("lomo",), "lomo"),
    (("paged", "lion"), "paged_lion_8bit"),
    (("lion", "8"), "lion_8bit"),
    (("lion",), "lion"),
    (("paged", "8"), "paged_adamw_8bit"),
    (("paged",), "paged_adamw"),
    (("4bit",), "adamw_4bit"),
    (("4-bit",), "adamw_4bit"),
    (("torchao", "8"), "adamw_8bit_torchao"),
    (("8bit",), "adamw_8bit"),
    (("8-bit",), "adamw_8bit"),
    (("bnb",), "adamw_8bit"),
    (("adafactor",), "adafactor"),
    (("came",), "adafactor"),
    (("muon",), "muon"),
    (("dion",), "muon"),
    (("schedule", "free"), "schedule_free"),
    (("stable", "adam"), "stable_adamw"),
    (("prodigy",), "prodigy"),
    (("sophia",), "sophia"),
    (("adagrad",), "adagrad"),
    (("rmsprop",), "rmsprop"),
    (("sgd", "momentum"), "sgd_momentum"),
    (("sgd",), "sgd"),
    (("foreach",), "adamw_foreach"),
    (("fused", "adam"), "adamw_fused"),
    (("cpuadam",), "adamw_fused"),
    (("cpu_adam",), "adamw_fused"),
    (("apex",), "adamw_fused"),
    (("lora-fa",), "adamw"),
    (("lora_fa",), "adamw"),
    (("ademamix",), "prodigy"),
    (("adopt",), "adamw"),
    (("lamb",), "adamw"),
    (("adam",), "adamw"),
)
"""Words in an optimizer's name → the optimizer whose memory it has."""


def optimizer_of(name: str) -> str:
    """The optimizer in STEPS that takes the memory of `name`. Raises UnknownName."""
    text = name.strip().lower()
    for words, optimizer in OPTIMIZER_PARTS:
        if all(word in text for word in words):
            return optimizer
    known = sorted({optimizer for _, optimizer in OPTIMIZER_PARTS})
    near = nearest(text, known)
    raise UnknownName(
        f"optimizer: {name[:60]!r} is not known",
        f"nearest known: {', '.join(near)}",
        field="optimizer",
        asked=name[:60],
        nearest=near,
    )


ADAPTER_METHODS = frozenset(
    ["lora", "dora", "adalora", "lokr", "loha", "rslora", "lora+", "loraplus", "pissa", "olora", "eva", "corda", "vera", "vblora", "fourierft", "oft", "boft", "bone", "miss", "hra", "ia3", "ln_tuning", "prefix_tuning", "prompt_tuning", "p_tuning", "ptuning", "adaption_prompt", "adapter", "adapter_v2", "glora", "gralora", "randlora", "road", "shira", "trainable_tokens", "unilora", "waveft", "c3a", "deft", "delora", "frod", "lily", "peanut", "psoft", "pvera", "tinylora", "hira", "adamss", "beft", "longlora", "lora-fa", "s-lora", "cpt", "poly", "xlora", "multitask_prompt_tuning", "layernorm", "bitfit", "llama-adapter"]
)
"""Methods that train few parameters on frozen weights (peft 0.21.2, litgpt 0.5.13, ms-swift 4.6)."""
NO_MATRIX = frozenset(
    ["adapter", "adapter_v2", "adaption_prompt", "prefix_tuning", "prompt_tuning", "p_tuning", "ptuning", "ln_tuning", "layernorm", "bitfit", "beft", "trainable_tokens", "cpt", "multitask_prompt_tuning", "llama-adapter"]
)
"""Those of them that put nothing beside a matrix: no inputs are kept for them."""
FULL_METHODS = frozenset(
    ["full", "galore", "apollo", "lisa", "badam", "lomo", "adalomo", "osf", "freeze", "fft", "sft", "pretrain", "llamapro", "llama-pro"]
)


def method_of(name: str, bits: float | None) -> tuple[str, str]:
    """(full | lora | qlora, the variant as named). Raises UnknownName."""
    text = name.strip().lower().replace(" ", "_").replace("full_fine-tuning", "full").replace("full_finetuning", "full")
    for prefix in ("grpo-", "dpo-", "orpo-", "kto-", "sft-", "grpo_", "dpo_"):
        text = text.removeprefix(prefix)
    low = bits is not None and bits < 16
    if text in FULL_METHODS or text.startswith("full"):
        return "full", text
    if text in ("qlora", "q-lora", "qdora", "qlora+") or text.startswith("qlora"):
        return "qlora", "dora" if text == "qdora" else "qlora"
    if text in ADAPTER_METHODS or "lora" in text or "tuning" in text or "adapter" in text or "prompt" in text:
        return ("qlora" if low else "lora"), text
    near = nearest(text, [*ADAPTER_METHODS, *FULL_METHODS, "qlora"])
    raise UnknownName(
        f"method: {name[:60]!r} is not known",
        f"nearest known: {', '.join(near)}",
        field="method",
        asked=name[:60],
        nearest=near,
    )


def sharding_of(name: str | None, n_gpus: int, offload: str) -> str:
    """none, ddp, zero1, zero2, zero3, fsdp, fsdp2, pipeline, sp. A plain count of GPUs means DDP."""
    text = (name or "").strip().lower()
    if n_gpus <= 1:
        offloaded = offload != "none" and any(word in text for word in ("zero", "fsdp", "deepspeed"))
        return ("zero3" if "3" in text or "fsdp" in text else "zero2") if offloaded else "none"
    if "fsdp2" in text or "zero3" in text or "zero-3" in text or "stage3" in text or "stage 3" in text:
        return "fsdp2" if "fsdp2" in text else "zero3"
    for word, sharding in (
        ("shard_grad_op", "zero2"), ("fsdp", "fsdp"), ("zero2", "zero2"), ("zero-2", "zero2"), ("zero1", "zero1"), ("zero-1", "zero1"),
        ("pipeline", "pipeline"), ("device_map", "pipeline"), ("layer", "pipeline"), ("split", "pipeline"), ("pp", "pipeline"),
        ("sequence", "sp"), ("context", "sp"), ("tensor", "tp"), ("tp", "tp"), ("deepspeed", "zero2"), ("ddp", "ddp"), ("data", "ddp"),
    ):  # fmt: skip
        if word in text:
            return sharding
    return "ddp"


def sequence_parallel_of(name: str | None, n_gpus: int) -> int:
    """GPUs that share a sequence: 8 in "sequence_parallel8" and "zero3+sp8"; all of them when no number is said."""
    text = (name or "").strip().lower()
    match = re.search(r"(?:sequence|context|\bsp|\bcp)[a-z_ ]{0,12}?(\d{0,4})(?!\d)", text)
    if n_gpus <= 1 or match is None:
        return 1
    return max(1, min(int(match[1]) if match[1] else n_gpus, n_gpus))


def offload_of(name: str | None) -> str:
    """none, optimizer, params (with the optimizer) or activations."""
    text = (name or "none").strip().lower()
    if text in ("none", "no", "false", ""):
        return "none"
    if "activation" in text:
        return "activations"
    if "optim" in text:
        return "optimizer"
    return "params"


def quant_of(name: str | None, bits: float) -> tuple[str, bool | None]:
    """(nf4 | gptq | awq | hqq | int8 | torchao | fp8 | none, double quantisation where the name says so)."""
    if bits >= 16:
        return "none", None
    text = (name or "").lower()
    double = None
    if "no double" in text:
        double = False
    elif "double" in text or "dq" in text:
        double = True
    for word in ("gptq", "awq", "hqq", "torchao"):
        if word in text:
            return word, double
    return ("int8" if bits >= 8 else "nf4"), double


def attention_of(name: str | None, default: str) -> str:
    """flash, efficient (the SDPA kernel that takes a mask) or eager."""
    text = (name or default).lower()
    if "eager" in text or text in ("math", "none", "naive"):
        return "eager"
    if "efficient" in text or "xformers" in text or "mem" in text:
        return "efficient"
    return "flash"
