"""How long, on each of several cards or sizes that are set side by side.

Source: estimator; topics.context_length.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.topics import context_length

MOST = 3
PAIR = 2
COSTLY = True

ON = ("candidates",)


def check(case: Case) -> Finding | None:
    """The longest sequence on each, on the leanest and the plainest stack."""
    query = case.query
    if case.advice is None or case.advice.kind is not Kind.CONTEXT_LENGTH or query.seq_len or not case.sized:
        return None
    rows: list[dict[str, Any]] = []
    for option in query.candidates[:MOST]:
        alone = {"gpus": option, "candidates": (), "n_gpus": None}
        asked = Case(query.model_copy(update=alone), case.catalog)
        facts = context_length.answer(asked).verdict.facts
        if asked.card is None or not facts.get("lean_longest"):
            return None
        card = {"name": asked.card.name, "gb": asked.card.vram_gb, "count": asked.n_cards}
        rows.append(card | {"lean": facts["lean_longest"], "stock": facts.get("stock_longest")})
    stacks = [case.stacks[0].code, case.stacks[-1].code]
    return stop(rows=rows, stacks=stacks, model=case.model_name, method=case.method) if len(rows) >= PAIR else None
