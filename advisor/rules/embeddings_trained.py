"""Training embed_tokens and lm_head costs full gradients and optimizer states, and makes adapters huge.

Source: PEFT modules_to_save; artidoro/qlora#214.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind

LEAST, MOST = 8, 16
"""Bytes per trained weight: copy, gradient and Adam in bf16, or all in fp32."""

ON = ("lora_targets", "trains_embeddings", "big_checkpoint")


def check(case: Case) -> Finding | None:
    """Training embed_tokens and lm_head costs full gradients and optimizer states, and makes adapters huge."""
    targets = case.query.lora_targets or ()
    named = not isinstance(targets, str) and bool({"embed_tokens", "lm_head"} & set(targets))
    trained = named or "trains_embeddings" in case.symptoms
    if not trained and "big_checkpoint" not in case.symptoms:
        return None
    vocab, hidden = (case.setup.vocab, case.setup.hidden) if case.sized else (None, None)
    asked = "oom_step" in case.symptoms or case.query.seen_gib or not case.sized or case.query.kind is Kind.OOM_HELP
    speak = stop if trained and asked else warn
    tied = case.sized and case.plan(case.stacks[-1]).shape.tied  # then both are one
    weights = (1 if tied else 2) * vocab * hidden if vocab and hidden else 0
    return speak(trained=trained, vocab=vocab, size=2 * weights or None, least=LEAST * weights, most=MOST * weights)
