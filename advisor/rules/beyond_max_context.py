"""A length beyond what the model was made for needs RoPE scaling.

Source: facts/models: max_context.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

ON = ("seq_len",)


def check(case: Case) -> Finding | None:
    """A length beyond what the model was made for needs RoPE scaling."""
    if case.query.seq_len is None or case.query.seq_len <= case.max_context or case.query.kind is Kind.CONTEXT_LENGTH:
        return None
    return warn(seq_len=case.query.seq_len, most=case.max_context, model=case.model_name)
