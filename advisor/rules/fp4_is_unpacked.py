"""gpt-oss is stored in MXFP4; Hugging Face's recipes unpack it to bf16 for training.

Source: OpenAI cookbook, fine-tuning with gpt-oss and Hugging Face Transformers (Mxfp4Config(dequantize=True)); Unsloth
documentation, gpt-oss (own 4-bit weights); gpt-oss-recipes#23.
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.query import Kind
from advisor.stacks import FOUR_BIT, UNSLOTH

ON = ("experts",)
FAMILY = "gpt-oss"
STORED = 17 / 32
"""Bytes of a weight in MXFP4: 4 bits, and one byte of scale for 32 of them."""
CLAIMS = frozenset({"table_covers_me", "weights_are_all", "inference_is_training"})
QUIET = frozenset({Kind.INFERENCE_ONLY, Kind.TIME_ESTIMATE, Kind.COST_BUY_VS_RENT, Kind.SYSTEM_RAM})


def check(case: Case) -> Finding | None:
    """Say what is unpacked, and which trainers keep 4 bit."""
    model = case.model
    if model is None or FAMILY not in model.id.lower() or case.query.kind in QUIET:
        return None
    if case.method in FOUR_BIT or case.full or case.query.trainer == "unsloth":
        return None
    asked = bool(case.symptoms & FAILURES) or bool(case.claims & CLAIMS) or bool(case.query.claimed_gib)
    four = case.need(UNSLOTH, method="qlora", weight_bits=None, quant=None, n_gpus=1, sharding="none")
    split = (case.n_cards > 1 and case.need(case.stacks[0], sharding="fsdp")) or None
    return (stop if asked else warn)(
        model=case.model_name,
        stored=int(STORED * model.params_total),
        unpacked=2 * model.params_total,
        four=four.device,
        count=case.n_cards,
        split=split.device if split else None,
        copies=case.n_cards > 1 and case.query.sharding not in SHARDED,
    )
