"""When to speak in a help channel: only when a message is surely a question of ours that we can answer."""

from typing import NamedTuple

from advisor.query import Kind, Query
from bot.parser.findings import Findings
from bot.parser.text import COMMA, Message
from bot.parser.words import words

NEVER = frozenset({Kind.OFF_TOPIC, Kind.INFERENCE_ONLY, Kind.HELP})
LEAST_SUM = 4.0
"""Evidence that a kind needs before an unasked answer."""
LEAST_OF_TRAINING = 1.5
SURE_SUM = 9.0
"""Evidence that stands without a word about training: "rent an A100 or buy a 5090"."""
PLAIN_SUM = 12.0
"""Evidence that no other subject has, even without a model or a card: "does vram grow with the length"."""
CLEAR_SUM = 6.0
"""Evidence that stands without a model, a card or a setting: "what is qlora"."""
MOST_OFF_TOPIC = 6.0
"""Evidence for something else that silences everything."""
TOLD = frozenset({Kind.TIME_ESTIMATE, Kind.DATA_SIZE_QUALITY, Kind.TRAINER_CHOICE, Kind.COST_BUY_VS_RENT})
"""Kinds whose words people also use to tell how it went: "took only 3 hours"."""
THAN = frozenset({"than", "als"})
LEAST_OFF_TOPIC = 3.0
"""Evidence for something else from which on a message must ask in so many words."""
OF_CARDS = frozenset(Kind) - NEVER - {Kind.COMPARE_GPUS, Kind.FAQ_DEFINITION, Kind.OOM_HELP}
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
    if query.kind in NEVER or strength < _least(heard) or heard.sums.get("off_topic", 0.0) >= MOST_OFF_TOPIC:
        return False
    if _is_to_somebody(heard):
        return False
    return _is_ours(heard, strength) and _asks(heard, strength) and (strength >= CLEAR_SUM or _has_substance(query))


def _least(heard: Heard) -> float:
    """Less is needed of a set-up to train that nothing speaks against: "is qlora of dbrx imaginable with 4x48GB?"."""
    plain = heard.sums.get("off_topic", 0.0) <= 0 and "training" in heard.told and _has_substance(heard.query)
    return LEAST_OF_TRAINING if plain else LEAST_SUM


def _is_to_somebody(heard: Heard) -> bool:
    """ "@mike did you try ...", "thanks, that worked"."""
    text = heard.message.text.lstrip()
    return text.startswith("@") or (heard.findings.has("thanks") and "?" not in text)


def _is_ours(heard: Heard, strength: float) -> bool:
    query = heard.query
    if "training" in heard.told or query.claims or OF_MEMORY.intersection(query.symptoms):
        return True
    if query.kind not in OF_CARDS or heard.sums.get("inference_only", 0.0) >= LEAST_OFF_TOPIC:
        return False
    return strength >= PLAIN_SUM or (strength >= SURE_SUM and bool(query.gpus or query.params_b))


def _asks(heard: Heard, strength: float) -> bool:
    findings, message = heard.findings, heard.message
    beside = heard.sums.get("off_topic", 0.0) < LEAST_OFF_TOPIC and _has_substance(heard.query)
    told = THAN.intersection(message.tokens)  # "a 4090 is faster than a 3090" tells
    if beside and strength >= CLEAR_SUM and "alternatives" in heard.told and not told:
        return True  # "2x 4060 ti or 1x 3090 for qlora"
    if beside and strength >= SURE_SUM and heard.query.kind not in TOLD and not findings.has("works"):
        return True  # its phrases ask by themselves: "7b qlora on a 4060, go or no go"
    if "?" in message.text or findings.has("question") or findings.has("help"):
        return True
    if message.tokens and message.tokens[-1] in words("joins"):  # "24 GB should be fine, or"
        return True
    if OF_MEMORY.intersection(heard.query.symptoms):  # who tells of running out of memory asks for a way out
        return True
    return any(place == 0 or message.parts[place] >= COMMA for place in findings.marks.get("asks_first", ()))


def _has_substance(query: Query) -> bool:
    return bool(
        query.gpus or query.model or query.params_b or query.method or query.trainer or query.symptoms or query.claims
    )
