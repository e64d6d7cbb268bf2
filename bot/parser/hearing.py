"""When to speak in a help channel: only when a message is surely a question of ours that we can answer."""

from typing import NamedTuple

from advisor.query import Kind, Query
from bot.parser.findings import Findings
from bot.parser.text import Message

NEVER = frozenset({Kind.OFF_TOPIC, Kind.INFERENCE_ONLY, Kind.HELP})
LEAST_SUM = 5.0
"""Evidence that a kind needs before an unasked answer."""


class Heard(NamedTuple):
    """What the decision rests on."""

    told: list[str]
    findings: Findings
    query: Query
    sums: dict[str, float]
    message: Message


def worth_answering(heard: Heard) -> bool:
    """Whether an overheard message should be answered. In doubt: no."""
    query, findings = heard.query, heard.findings
    if query.kind in NEVER or heard.sums.get("off_topic", 0.0) >= 6:
        return False
    ours = (
        "training" in heard.told
        or query.symptoms
        or query.claims
        or query.kind in (Kind.WHICH_GPU, Kind.MULTI_GPU, Kind.CONTEXT_LENGTH, Kind.FITS_CHECK)
    )
    if not ours:
        return False
    asks = (
        "?" in heard.message.text
        or "？" in heard.message.text
        or findings.has("question")
        or findings.has("help")
        or bool(query.symptoms)
    )
    if not asks:
        return False
    substance = bool(
        query.gpus or query.model or query.params_b or query.method or query.trainer or query.symptoms or query.claims
    )
    return substance and heard.sums.get(query.kind.value, 0.0) >= LEAST_SUM
