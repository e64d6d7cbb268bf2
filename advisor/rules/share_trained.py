"""More is trained than adapters are: embeddings and head in full, as the share that a run prints tells.

Source: PEFT, LoraConfig.modules_to_save (https://huggingface.co/docs/peft/package_reference/lora, 2026-11); Qwen's
finetune.py adds wte and lm_head for base models, to learn the chat format's tokens
(https://github.com/QwenLM/Qwen, finetuning, 2024); 16 bytes a trained parameter: ZeRO, arXiv:1910.02054, sec. 3.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import GOOD, STATES

WHOLE = 0.45
"""Share, of the model and as much again, from which on no adapter is at work."""

ON = ("trainable_params",)


def check(case: Case) -> Finding | None:
    """More is trained than adapters are: embeddings and head in full."""
    trained = case.query.trainable_params
    if not trained or not case.sized or case.full or not case.params:
        return None
    share = trained / (case.params + trained)
    alone = case.need(case.stacks[-1], trainable_params=None)
    return stop(
        share=share,
        whole=share >= WHOLE,
        trained=trained,
        size=STATES * trained,
        alone=alone.device,
        fits=alone.fit in GOOD if alone.fit else None,
        usable=case.usable,
    )
