"""What tells architectures apart in memory, by model_type: their norms, their MLP, their windows."""

PLAIN_MLP = frozenset(
    {"parallel", "falcon", "gpt2", "gptj", "neox", "gpt_neox", "gptneo", "gpt_neo", "opt", "bloom", "phi", "mpt"}
    | {"starcoder2", "gpt_bigcode", "nemotron"}
)
"""Architectures whose MLP has two matrices (up, down) and no gate."""
TWO_MATRICES = PLAIN_MLP | {"arcee"}
"""Those, and RMSNorm architectures with such an MLP (AFM)."""
LAYER_NORM = PLAIN_MLP | {"cohere", "cohere2", "stablelm", "olmo"}
"""Architectures with LayerNorm (mean and variance) in place of RMSNorm."""
FOUR_NORMS = frozenset({"gemma2", "gemma3", "gemma3_text", "gemma3n", "gemma4", "glm4"})
"""Architectures that also normalise what attention and MLP put out."""
ONE_NORM = frozenset({"gptj", "phi", "codegen", "falcon"})
"""Architectures in which attention and MLP read one and the same norm."""
FUSED_QKV = frozenset({"phi3", "falcon", "neox", "gpt_neox", "gpt2", "bloom", "chatglm", "qwen", "baichuan", "mpt"})
"""Architectures that make q, k and v with one matrix; v stays a view of the fused output."""
FUSED_GATE_UP = frozenset({"phi3", "chatglm", "glm", "glm4"})
"""Architectures that make gate and up with one matrix."""
SOFTCAP_ATTENTION = frozenset({"gemma2"})
"""Architectures that cap attention scores with a tanh."""
SOFTCAP_LOGITS = frozenset({"gemma2", "gemma3n", "gemma4"})
"""Architectures that cap logits so."""
LEARNT_POSITIONS = frozenset({"gpt2", "opt", "gptneo", "gpt_neo"})
"""Architectures with a table of positions beside that of words."""
QK_NORM = frozenset(
    {"qwen3", "qwen3_moe", "gemma3", "gemma3_text", "olmo2", "olmo3", "exaone4", "hunyuan_v1_dense", "hunyuan_v1_moe"}
)
"""Architectures that normalise q and k per head."""
FAMILY_TYPES = {
    "gemma": "gemma",
    "paligemma": "gemma",
    "gemma2": "gemma2",
    "paligemma2": "gemma2",
    "gemma3": "gemma3",
    "phi": "phi",
    "phi3": "phi3",
    "phi3.5": "phi3",
    "phi3-vision": "phi3",
    "phi4": "phi3",
    "granite3": "granite",
    "granite4": "granite",
    "granite4.1": "granite",
    "command-r": "cohere",
    "command-a": "cohere",
    "aya": "cohere",
    "qwen1": "qwen",
}
"""Catalog family → model_type, where a layer of the Llama plan differs in what it computes."""
MOE_TYPES = {
    "gpt-oss": "gpt_oss",
    "dbrx": "dbrx",
    "mixtral": "mixtral",
    "qwen1.5": "qwen2_moe",
    "qwen2": "qwen2_moe",
    "qwen3.5": "qwen3_5_moe",
    "qwen3.6": "qwen3_5_moe",
    "granite3": "granitemoe",
    "phi3.5": "phimoe",
    "phi-moe": "phimoe",
}
"""The same for mixtures of experts."""
BIASED = frozenset({"gpt2", "neox", "gpt_neox", "opt", "bloom", "phi", "starcoder2", "gpt_bigcode"})
"""Architectures with a bias on every linear."""
QKV_BIASED = BIASED | {"qwen2", "qwen", "qwen2_moe", "glm", "glm4", "chatglm", "seed_oss"}
"""Those, and the ones with a bias in q, k and v alone."""
STORED_FP32 = ("gpt2", "gptneo", "gpt_neo", "gptj")
"""Architectures whose checkpoints are fp32; a loader keeps the stored type, and "16 bit" there is the computation."""
KEPT_IN_FP32 = frozenset({"t5", "mt5", "umt5", "longt5"})
"""Architectures whose MLP output matrix `wo` transformers keeps in fp32 and out of bitsandbytes' k-bit linears.

Source: transformers, models/t5/modeling_t5.py, `_keep_in_fp32_modules`; quantizers/quantizer_bnb_4bit.py, which adds
those modules to what it does not convert.
"""
SCALED_IN_FP32 = ("gemma", "olmo2", "olmo3")
"""Architectures whose norms multiply by the weight before they narrow."""
TWO_MASKS = frozenset({"gemma2", "gemma3", "gemma3_text", "gemma3n", "gemma4", "cohere2", "olmo3", "gpt_oss"})
"""Architectures that mix layers with and without a sliding window."""
LOCAL_SHARE = {"gemma2": 1 / 2, "gemma3": 5 / 6, "gemma3_text": 5 / 6, "gemma3n": 4 / 5, "gemma4": 5 / 6}
LOCAL_SHARE |= {"cohere2": 3 / 4, "olmo3": 3 / 4, "exaone4": 3 / 4, "gpt_oss": 1 / 2}
"""Layers with a sliding window among all, where not every layer has one."""
