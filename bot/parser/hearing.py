"""When to speak in a help channel: only when a message is surely a question of ours that we can answer."""

from collections.abc import Mapping
from typing import NamedTuple

from advisor.query import Kind, Query
from bot.parser.findings import Findings
from bot.parser.passing import IN_PASSING
from bot.parser.signs import STEPS, strength
from bot.parser.text import COMMA, Message
from bot.parser.words import words

NEVER = frozenset({Kind.OFF_TOPIC, Kind.INFERENCE_ONLY, Kind.HELP})
MOST_OTHER = 0.15
"""Likelihood that it is something else from which on there is no unasked answer."""
BESIDE = 0.1
"""Likelihood that it is something else from which on a message must ask in so many words."""
HARDLY = 0.03
"""Likelihood that it is something else up to which a message needs no word about training."""
MEANT = 0.1
"""Likelihood that a kind needs for its phrases to count as asking."""
ASKED = 6.0
"""Weight of phrases that ask by themselves: "go or no go"."""
TOLD = frozenset({Kind.TIME_ESTIMATE, Kind.DATA_SIZE_QUALITY, Kind.TRAINER_CHOICE, Kind.COST_BUY_VS_RENT})
"""Kinds whose words people also use to tell how it went: "took only 3 hours"."""
THAN = frozenset({"than", "als"})
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
    likely: Mapping[str, float]
    phrases: Mapping[str, list[float]]
    message: Message


def worth_answering(heard: Heard) -> bool:
    """Whether an overheard message should be answered. In doubt: no."""
    query = heard.query
    other = sum(heard.likely.get(kind.value, 0.0) for kind in NEVER)
    if query.kind in NEVER or other >= MOST_OTHER or _is_to_somebody(heard):
        return False
    meant = [found for kind, found in heard.phrases.items() if heard.likely.get(kind, 0.0) >= MEANT]
    asked = max(map(strength, meant), default=0) / STEPS
    return _is_ours(heard, asked, other) and _asks(heard, asked, other) and (asked >= ASKED or _has_substance(query))


def _is_to_somebody(heard: Heard) -> bool:
    """ "@mike did you try ...", "thanks, that worked"."""
    text = heard.message.text.lstrip()
    return text.startswith("@") or (heard.findings.has("thanks") and "?" not in text)


def _is_ours(heard: Heard, asked: float, other: float) -> bool:
    query = heard.query
    if "training" in heard.told or query.claims or OF_MEMORY.intersection(query.symptoms):
        return True
    return query.kind in OF_CARDS and other <= HARDLY and asked >= ASKED


def _asks(heard: Heard, asked: float, other: float) -> bool:
    findings, message = heard.findings, heard.message
    beside = other < BESIDE and _has_substance(heard.query)
    told = THAN.intersection(message.tokens)  # "a 4090 is faster than a 3090" tells
    if beside and "alternatives" in heard.told and not told:
        return True  # "2x 4060 ti or 1x 3090 for qlora"
    if beside and asked >= ASKED and heard.query.kind not in TOLD and not findings.has("works"):
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
        query.gpus
        or query.model
        or query.params_b
        or query.method
        or query.trainer
        or not IN_PASSING.issuperset(query.symptoms)
        or query.claims
    )
