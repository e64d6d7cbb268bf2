"""What layers of architectures before Llama keep otherwise: plain activations, parallel residuals, dropout that is on.

Found with the oracle on GPT-2, GPT-J, GPT-NeoX, OPT, Phi and BLOOM (transformers 5.24), two depths and two MLP widths.
What CUDA's autocast runs in fp32 (`pow`, `layer_norm`: torch/amp docs, "CUDA Ops that can autocast to float32") is
counted as on CUDA.
"""

from advisor.estimator.plan import Plan

GELU_NEW = frozenset({"gpt2", "gpt_neo", "gptneo", "gptj", "phi", "codegen"})
"""tanh, powers and sums one by one (activations.py, NewGELUActivation): x, 0.5 x, tanh and 1 + tanh are kept."""
RELU = frozenset({"opt"})
"""relu keeps its output, which is the input of down_proj."""
DROPOUT = frozenset({"gpt2", "gpt_bigcode", "opt", "seed_oss"})
"""Configurations whose residual dropout is 0.1 by default: a mask of one byte after attention and after the MLP."""
SCORE_DROPOUT = frozenset({"gpt2", "gpt_bigcode", "seed_oss"})
"""Those that drop attention scores, too; only eager attention keeps that mask."""
ONE_INPUT = frozenset({"neox", "gpt_neox"})
"""Both norms read the same residual stream."""
NO_ROTARY = frozenset({"gpt2", "bloom", "gpt_bigcode"})
"""q, k and v stay views of one fused product: nothing rotates them, so nothing copies them."""


def activation_bytes(plan: Plan) -> float:
    """What the activation of a two-matrix MLP keeps, per token."""
    s, m = plan.shape, plan.mlp_bytes
    width = s.active_width
    if plan.profile.own_models:
        return float(m * width)
    if s.model_type in GELU_NEW:
        return float((16 if m == 4 else 14 if plan.autocast else 8) * width)
    if s.model_type in RELU and _down_shares(plan):
        return 0.0
    return float(m * width)


def _down_shares(plan: Plan) -> bool:
    """down_proj keeps the activation's output itself, which is counted there."""
    if plan.method == "full":
        return True
    return "down" in plan.targets and plan.adapter_bytes == 2 and plan.dropout == 0 and not plan.kbit


def dropout_bytes(plan: Plan) -> float:
    """Masks of the model's own dropout, per token and layer."""
    s = plan.shape
    if plan.profile.own_models or s.model_type not in DROPOUT:
        return 0.0
    scores = s.heads * plan.seq_len if plan.attention == "eager" and s.model_type in SCORE_DROPOUT else 0
    return float(2 * s.hidden + scores)


def layer_norm_bytes(plan: Plan) -> float:
    """LayerNorm keeps its input, mean and rstd; CUDA's autocast widens a 16-bit input, OLMo's own norm any."""
    s, e = plan.shape, plan.residual_bytes
    cast = plan.autocast and e == 2
    wide = 4 if cast or s.model_type == "olmo" else e
    inputs = 1 if s.model_type in ONE_INPUT and not cast else s.norms
    return float(inputs * wide * s.hidden + 8 * s.norms)
