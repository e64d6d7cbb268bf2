"""An evaluation that generates keeps a cache and scores for every beam: it is another peak than that of the logits.

Source: transformers, Seq2SeqTrainingArguments: predict_with_generate, generation_num_beams, generation_max_length
(https://huggingface.co/docs/transformers/main_classes/trainer, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("eval_generates",)


def check(case: Case) -> Finding | None:
    """An evaluation that generates keeps a cache and scores for every beam."""
    return stop() if "eval_generates" in case.symptoms else None
