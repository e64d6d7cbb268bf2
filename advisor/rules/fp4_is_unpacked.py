"""Models that are stored in 4 or 8 bit are unpacked to bf16 for training: gpt-oss (MXFP4), DeepSeek, Kimi (FP8).

Source: OpenAI cookbook, fine-tuning with gpt-oss and Hugging Face Transformers (Mxfp4Config(dequantize=True)); Unsloth
documentation, gpt-oss (own 4-bit weights); gpt-oss-recipes#23; DeepSeek-V3, README (fp8_cast_bf16.py).
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.query import Kind
from advisor.stacks import FOUR_BIT, UNSLOTH

ON = ("experts",)
STORED = {
    "gpt-oss": ("MXFP4", 17 / 32),
    "deepseek-v3": ("FP8", 1.0),
    "deepseek-r1": ("FP8", 1.0),
    "kimi-k2": ("FP8", 1.0),
    "minimax-m2": ("FP8", 1.0),
}
"""Part of a model's id → its format on disk, and bytes of a weight in it; in MXFP4 32 weights share a scale."""
DISTILLED = "distill"
"""Dense models that bear the name of the one they learnt from."""
CLAIMS = frozenset({"table_covers_me", "weights_are_all", "inference_is_training"})
QUIET = frozenset({Kind.INFERENCE_ONLY, Kind.TIME_ESTIMATE, Kind.COST_BUY_VS_RENT, Kind.SYSTEM_RAM})


def check(case: Case) -> Finding | None:
    """Say what is unpacked, and which trainers keep 4 bit."""
    model = case.model
    stored = next((said for part, said in STORED.items() if model and part in model.id.lower()), None)
    if model is None or stored is None or DISTILLED in model.id.lower() or case.query.kind in QUIET:
        return None
    if case.query.method in FOUR_BIT or case.full or case.query.trainer == "unsloth":
        return None
    if case.method_unsaid and "stored_small" not in case.symptoms:
        return None
    asked = bool(case.symptoms & FAILURES) or bool(case.claims & CLAIMS) or bool(case.query.claimed_gib)
    asked = asked or "stored_small" in case.symptoms
    four = case.need(UNSLOTH, method="qlora", weight_bits=None, quant=None, n_gpus=1, sharding="none")
    split = (case.n_cards > 1 and case.need(case.stacks[0], sharding="fsdp")) or None
    layered = (case.n_cards > 1 and case.need(case.stacks[0], sharding="pipeline")) or None
    return (stop if asked else warn)(
        model=case.model_name,
        beside=not case.symptoms & FAILURES,
        format=stored[0],
        four_bits=stored[1] < 1,
        stored=int(stored[1] * model.params_total),
        unpacked=2 * model.params_total,
        small="120b" in model.id,
        four=four.device,
        count=case.n_cards,
        split=split.device if split else None,
        layered=layered.device if layered else None,
        ready=f"unsloth/{model.id.split('/')[-1]}-BF16" if stored[0] == "MXFP4" else None,
        copies=case.n_cards > 1 and case.query.sharding not in SHARDED,
    )
