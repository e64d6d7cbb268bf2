"""Macs train with MLX in unified memory, of which the system keeps a part.

Source: mlx-lm documentation; macOS wires about three quarters to the GPU.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.paced import EXAMPLES, hours_of_examples
from advisor.refused import CUDA_ONLY
from advisor.rules import mlx_keeps_activations
from advisor.stacks import short_name
from advisor.topics.time_estimate.jobs import TOKENS_EACH

ON = ("apple_card",)


def check(case: Case) -> Finding | None:
    """Macs train with MLX in unified memory, of which the system keeps a part."""
    if not case.apple or mlx_keeps_activations.check(case) is not None:
        return None
    multimodal = case.model is not None and case.model.multimodal and not case.generic
    cuda_only = case.query.trainer in CUDA_ONLY
    speak = stop if multimodal and "with_media" in case.symptoms else warn
    return speak(
        card=short_name(case.gpus[0]),
        usable=case.usable,
        cuda_only=cuda_only,
        algorithm=case.query.algorithm,
        multimodal=multimodal,
        media=multimodal and "with_media" in case.symptoms,
        whole=case.query.method == "lora" and case.method == "lora",
        hours=hours_of_examples(case, case.gpus[0]),
        examples=EXAMPLES,
        each=TOKENS_EACH,
    )
