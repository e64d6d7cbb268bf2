"""Kinds of question: what is asked decides, not the nouns beside it."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.query import Kind
from bot.messages import Question
from bot.parser import read
from bot.parser.kinds import CLEAR, NOT_OURS, most_agreed
from bot.parser.signs import HALF_OF_WORDS, ends, grams, plain_words, signs_of, strength
from bot.parser.tally import KINDS, ONE, pack, unpack
from bot.parser.text import Message
from bot.parser.understanding import understand
from knowledge.kind_examples import UNSEEN, examples

SETUP = "2x 3090, Llama 3 70B, QLoRA, 2048 tokens. "
LEAST_UNDERSTOOD = 0.7
"""Share of messages that the weights were never fitted to."""


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("How long will 3 epochs take?", Kind.TIME_ESTIMATE),
        ("How much system RAM do I need for that?", Kind.SYSTEM_RAM),
        ("Does that fit?", Kind.FITS_CHECK),
        ("Would full finetuning give better results?", Kind.METHOD_CHOICE),
        ("Unsloth or axolotl?", Kind.TRAINER_CHOICE),
        ("How many examples do I need at least?", Kind.DATA_SIZE_QUALITY),
        ("What does it cost to rent that?", Kind.COST_BUY_VS_RENT),
        ("What is the longest context I can use?", Kind.CONTEXT_LENGTH),
        ("Wie lange dauert das?", Kind.TIME_ESTIMATE),
        ("Wie viel Arbeitsspeicher brauche ich?", Kind.SYSTEM_RAM),
        ("Wie viele Beispiele brauche ich mindestens?", Kind.DATA_SIZE_QUALITY),
    ],
)
def test_what_is_asked_decides(asked: str, kind: Kind) -> None:
    assert read(Question(text=SETUP + asked)).query.kind is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("unsloth on amd?", Kind.TRAINER_CHOICE),
        ("axolotl on intel arc?", Kind.TRAINER_CHOICE),
        ("which gpu should i buy for finetuning", Kind.WHICH_GPU),
        ("4090 or 2x3090 for qlora", Kind.COMPARE_GPUS),
        ("does 24 GB suffice for a 13b lora", Kind.FITS_CHECK),
        ("why do I get CUDA out of memory with a 7b on 24 GB", Kind.OOM_HELP),
        ("drawbacks of load_in_4bit?", Kind.METHOD_CHOICE),
        ("Gibt es eine Faustformel für den VRAM?", Kind.FAQ_DEFINITION),
        ("FSDP or ZeRO-3 for two cards?", Kind.MULTI_GPU),
        ("500 Chatverläufe, reicht das?", Kind.DATA_SIZE_QUALITY),
        ("flux lora on a 4090, how many steps?", Kind.OFF_TOPIC),
        ("what can you do?", Kind.HELP),
    ],
)
def test_short_questions(text: str, kind: Kind) -> None:
    assert read(Question(text=text)).query.kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "welche rank für stil lernen",
        "v100 32gb used worth it?",
        "ist eine p100 noch brauchbar",
        "epochen bei 10000 beispielen",
        "best open model to fine tune for coding on 24gb",
        "is h100 overkill",
        "rang für 13b",
        "4090 gut genug",
        "batch 4 seq 2048 a5000",
        "lora dropout wert",
        "trainieren mit 10gb",
    ],
)
def test_a_few_words_of_ours_are_not_sent_away(text: str) -> None:
    assert read(Question(text=text)).query.kind not in NOT_OURS


@pytest.mark.parametrize("text", ["hi", "asdf", "thanks!", "genshin on a 3090", "flux lora 12gb", "lorawan gateway"])
def test_what_is_not_ours_is_told_so(text: str) -> None:
    assert read(Question(text=text)).query.kind in {*NOT_OURS, Kind.HELP}


def test_messages_that_were_never_fitted_to_are_understood() -> None:
    unseen = [example for example in examples() if example.file == UNSEEN]
    right = sum(read(Question(text=example.text)).query.kind == example.kinds[0] for example in unseen)
    assert right >= LEAST_UNDERSTOOD * len(unseen)


def test_every_example_names_kinds_that_there_are() -> None:
    assert {kind for example in examples() for kind in example.kinds} <= {kind.value for kind in KINDS}


def test_a_second_need_is_kept() -> None:
    query = read(Question(text="will 24 GB be enough for a 13b lora and how much system RAM do I need")).query
    assert {query.kind, query.also} == {Kind.FITS_CHECK, Kind.SYSTEM_RAM}


figures = st.lists(st.floats(-100, 100), min_size=len(KINDS), max_size=len(KINDS))


@given(st.lists(figures, min_size=1, max_size=50))
def test_packed_figures_add_up(rows: list[list[float]]) -> None:
    names = [kind.value for kind in KINDS]
    packed = sum(pack(dict(zip(names, row, strict=True))) for row in rows)
    for place, (figure, nothing) in enumerate(zip(unpack(packed), unpack(0), strict=True)):
        assert (figure - nothing) / ONE == pytest.approx(sum(row[place] for row in rows), abs=len(rows) / ONE)


def test_the_strongest_phrases_of_a_kind_count() -> None:
    assert strength([6.0]) == strength([6.0, 0.0]) == 60
    assert strength([6.0, 6.0, 6.0]) == strength([6.0, 6.0, 6.0, 6.0])


def test_both_ends_of_a_long_message_are_looked_at() -> None:
    words = ends(plain_words(Message.of("first " + "word " * 1_000 + "last")))
    assert len(words) == 2 * HALF_OF_WORDS + 2
    assert {"first", "last"} <= grams(words)


def test_marks_are_told_apart_by_whether_they_are_asked() -> None:
    parts = understand("it goes oom at 4k. works at 2k. why?")
    where = signs_of(parts.message, parts.findings, parts.told, parts.slots.sources).where
    assert {"oom told", "oom before", "works told", "why asked"} <= set(where)
    assert "oom asked" not in where


def test_without_a_question_mark_everything_is_told() -> None:
    parts = understand("my 3090 goes oom, please help")
    signs = signs_of(parts.message, parts.findings, parts.told, parts.slots.sources)
    assert "oom told" in signs.where
    assert not signs.asked


def test_the_words_of_the_first_and_the_last_question_are_asked() -> None:
    parts = understand("does it fit? I have a card. is it quick? why so slow?")
    asked = signs_of(parts.message, parts.findings, parts.told, parts.slots.sources).asked
    assert {"does", "fit", "why", "slow"} <= set(asked)
    assert not {"card", "quick"} & set(asked)


def likely(**figures: float) -> list[float]:
    return [figures.get(kind.value, 0.0) for kind in KINDS]


def test_of_kinds_as_likely_the_one_near_to_others_is_of_most_use() -> None:
    shares = likely(off_topic=0.3, fits_check=0.28, multi_gpu=0.21, context_length=0.21)
    assert KINDS[most_agreed(shares)] is Kind.FITS_CHECK


def test_a_clear_kind_stays_whatever_is_near_to_others() -> None:
    assert KINDS[most_agreed(likely(off_topic=0.7, fits_check=0.15, multi_gpu=0.15))] is Kind.OFF_TOPIC


@given(st.lists(st.floats(0.01, 1), min_size=len(KINDS), max_size=len(KINDS)), st.integers(0, len(KINDS) - 1))
def test_no_other_kind_is_of_more_use_than_one_with_a_clear_lead(rest: list[float], first: int) -> None:
    raised = [value if place != first else exp(CLEAR) for place, value in enumerate(rest)]
    assert most_agreed([value / sum(raised) for value in raised]) == first
