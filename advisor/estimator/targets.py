"""Names of LoRA targets in the trainers' words → roles of matrices that the terms know."""

import re
from collections.abc import Sequence

from advisor.errors import UnknownName
from advisor.estimator.names import nearest

ROLES = {
    "q": "q_proj query wq q attn.q_proj attention.wq q_a_proj q_b_proj",
    "k": "k_proj key wk k attention.wk kv_a_proj_with_mqa",
    "v": "v_proj value wv v attention.wv kv_b_proj",
    "o": "o_proj output_proj out_proj proj projection wo attn.c_proj self_attention.dense dense attention.wo",
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


def role_of(module: str) -> str | None:
    """The role of one module name, by its last part: "mlp.shared_expert.up_proj" is up."""
    return ROLE_OF.get(module) or ROLE_OF.get(module.rsplit(".", 1)[-1])


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
        if re.search(r"[*\\^$\[]", text):
            return _words_of_pattern(text)
        return [word for word in re.split(r"[\s,;+|]+", text) if word][:64]
    return [str(word).strip().lower() for word in targets][:512]


def _words_of_pattern(text: str) -> list[str]:
    """Names in a regular expression, which peft matches against module paths: ".*(q_proj|v_proj)"; ".*proj" is all."""
    words = re.findall(r"[a-z][a-z0-9_]*", text[:2000])
    return [word for word in words if word != "proj" and (word in ROLE_OF or word in WORDS)] or ["all-linear"]


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
