"""A length beyond what the model was made for needs RoPE scaling.

Source: facts/models: max_context.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind


def check(case: Case) -> Finding | None:
    """A length beyond what the model was made for needs RoPE scaling."""
    model = case.model
    if (
        model is None
        or case.query.seq_len is None
        or case.query.seq_len <= model.max_context
        or case.query.kind is Kind.CONTEXT_LENGTH
    ):
        return None
    return warn(seq_len=case.query.seq_len, most=model.max_context, model=case.model_name)
