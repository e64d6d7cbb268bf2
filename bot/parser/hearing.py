"""When to speak in a help channel: only when a message is surely a question of ours that we can answer."""

from typing import NamedTuple

from advisor.query import Kind, Query
from bot.parser.findings import Findings
from bot.parser.text import COMMA, Message

NEVER = frozenset({Kind.OFF_TOPIC, Kind.INFERENCE_ONLY, Kind.HELP})
LEAST_SUM = 4.0
"""Evidence that a kind needs before an unasked answer."""
SURE_SUM = 9.0
"""Evidence that stands without a word about training: "rent an A100 or buy a 5090"."""
CLEAR_SUM = 6.0
"""Evidence that stands without a model, a card or a setting: "what is qlora"."""
MOST_OFF_TOPIC = 6.0
"""Evidence for something else that silences everything."""
OF_CARDS = frozenset(
    {Kind.COST_BUY_VS_RENT, Kind.MULTI_GPU, Kind.SYSTEM_RAM, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH, Kind.FITS_CHECK}
)
"""Kinds that may be meant although nobody says training."""


OF_MEMORY = frozenset(
    {"oom_step", "oom_later", "oom_load", "oom_eval", "oom_save", "oom_merge", "oom_generate", "killed", "fragmented"}
)
"""Symptoms that are ours whatever else is said; a slow or missing thing may be anything."""


class Heard(NamedTuple):
    """What the decision rests on."""

    told: list[str]
    findings: Findings
    query: Query
    sums: dict[str, float]
    message: Message


def worth_answering(heard: Heard) -> bool:
    """Whether an overheard message should be answered. In doubt: no."""
    query = heard.query
    strength = heard.sums.get(query.kind.value, 0.0)
    if query.kind in NEVER or strength < LEAST_SUM or heard.sums.get("off_topic", 0.0) >= MOST_OFF_TOPIC:
        return False
    if _is_to_somebody(heard):
        return False
    return _is_ours(heard, strength) and _asks(heard) and (strength >= CLEAR_SUM or _has_substance(query))


def _is_to_somebody(heard: Heard) -> bool:
    """ "@mike did you try ...", "thanks, that worked"."""
    text = heard.message.text.lstrip()
    return text.startswith("@") or (heard.findings.has("thanks") and "?" not in text)


def _is_ours(heard: Heard, strength: float) -> bool:
    query = heard.query
    if "training" in heard.told or query.claims or OF_MEMORY.intersection(query.symptoms):
        return True
    return query.kind in OF_CARDS and strength >= SURE_SUM and bool(query.gpus or query.params_b)


def _asks(heard: Heard) -> bool:
    findings, message = heard.findings, heard.message
    if "?" in message.text or findings.has("question") or findings.has("help"):
        return True
    if OF_MEMORY.intersection(heard.query.symptoms):  # who tells of running out of memory asks for a way out
        return True
    return any(place == 0 or message.parts[place] >= COMMA for place in findings.marks.get("asks_first", ()))


def _has_substance(query: Query) -> bool:
    return bool(
        query.gpus or query.model or query.params_b or query.method or query.trainer or query.symptoms or query.claims
    )
