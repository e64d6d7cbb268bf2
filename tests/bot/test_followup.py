"""Conversations: what is remembered, what a new message changes, and what opens a new subject."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.query import CardCount, Kind, Query
from bot.messages import Question
from bot.parser import read
from bot.parser.followup import follow
from bot.parser.followup_words import codes_in, grammar, is_thanks, words_of


def after(*texts: str) -> Query:
    """The query after these messages, as the store keeps it: what only shows something or thanks changes nothing."""
    previous = None
    query = Query()
    for text in texts:
        query = read(Question(text=text), previous).query
        if query.show != "thanks" and query.kind not in (Kind.FAQ_DEFINITION, Kind.OFF_TOPIC, Kind.HELP):
            previous = query.model_copy(update={"show": None})
    return query


def cards(query: Query) -> list[tuple[str | None, int]]:
    return [(card.gpu, card.count) for card in query.gpus]


START = "can I finetune llama 3.1 8b with qlora on a 3060 12GB at 4k context?"
ANFANG = "Reicht eine 3090 für QLoRA mit 13B?"


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ((START, "and with 8k context?"), {"seq_len": 8192, "model": "meta-llama/Llama-3.1-8B", "method": "qlora"}),
        ((START, "and at 16k?"), {"seq_len": 16384}),
        ((START, "8k?"), {"seq_len": 8192}),
        ((START, "what about batch size 4?"), {"micro_batch": 4, "seq_len": 4096}),
        ((START, "and with lora?"), {"method": "lora", "weight_bits": None, "seq_len": 4096}),
        ((START, "what if I use unsloth?"), {"trainer": "unsloth", "seq_len": 4096}),
        ((START, "and with full finetuning?"), {"method": "full", "lora_rank": None}),
        ((START, "and rank 64?"), {"lora_rank": 64, "method": "qlora"}),
        ((START, "and a 70b?"), {"params_b": 70, "seq_len": 4096, "method": "qlora"}),
        ((START, "what about qwen3 8b?"), {"model": "Qwen/Qwen3-8B", "seq_len": 4096}),
        ((START, "longer context?"), {"seq_len": 8192}),
        (("13b qlora", "longer context?"), {"seq_len": 4096}),
        ((START, "and with 8k context?", "and with lora?"), {"seq_len": 8192, "method": "lora"}),
        ((ANFANG, "und mit LoRA?"), {"method": "lora", "weight_bits": None}),
        ((ANFANG, "und mit 8k Kontext?"), {"seq_len": 8192, "method": "qlora"}),
        ((ANFANG, "und mit 70B?"), {"params_b": 70, "method": "qlora"}),
        ((ANFANG, "dann lieber mit Unsloth"), {"trainer": "unsloth", "method": "qlora"}),
    ],
)
def test_a_follow_up_changes_what_it_names_and_keeps_the_rest(texts: tuple[str, ...], wanted: dict[str, Any]) -> None:
    query = after(*texts)
    assert {slot: getattr(query, slot) for slot in wanted} == wanted
    assert cards(query) == cards(after(texts[0]))


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ((START, "on a 4090 instead"), [("rtx-4090", 1)]),
        ((START, "and on a 3090?"), [("rtx-3090", 1)]),
        ((START, "what about two of them?"), [("rtx-3060-12gb", 2)]),
        ((START, "with 4 cards?"), [("rtx-3060-12gb", 4)]),
        ((START, "what about two 3090s?"), [("rtx-3090", 2)]),
        ((START, "and if I add a second one?"), [("rtx-3060-12gb", 2)]),
        ((START, "what about two of them?", "and four?"), [("rtx-3060-12gb", 4)]),
        ((ANFANG, "und zwei davon?"), [("rtx-3090", 2)]),
        ((ANFANG, "was ist mit einer 4090?"), [("rtx-4090", 1)]),
        ((ANFANG, "und auf einer 3060 12GB?"), [("rtx-3060-12gb", 1)]),
        ((ANFANG, "noch eine dazu?"), [("rtx-3090", 2)]),
        (("13b qlora", "3090"), [("rtx-3090", 1)]),
        ((START, "what if I only have 8GB?"), [(None, 1)]),
        ((ANFANG, "und mit 16 GB?"), [(None, 1)]),
        (("13b qlora", "I have a 3090"), [("rtx-3090", 1)]),
        ((START, "and on two?"), [("rtx-3060-12gb", 2)]),
        ((ANFANG, "und auf 2?"), [("rtx-3090", 2)]),
        ((ANFANG, "und auf 24 GB?"), [(None, 1)]),
        (("13b qlora on a 3060?", "8 gb"), [("rtx-3060-8gb", 1)]),
        (("13b qlora on a 3060?", "the 12gb one"), [("rtx-3060-12gb", 1)]),
        (("13b qlora on two 4060 ti?", "16gb"), [("rtx-4060-ti-16gb", 2)]),
    ],
)
def test_other_cards(texts: tuple[str, ...], wanted: list[tuple[str, int]]) -> None:
    query = after(*texts)
    assert cards(query) == wanted
    assert query.model == after(texts[0]).model
    assert query.method == "qlora"


@pytest.mark.parametrize(
    ("first", "then", "method"),
    [
        ("13b lora on a 3090", "what if I use 4bit", "qlora"),
        ("13b qlora on a 3090", "and in 8bit?", "lora"),
        ("13b qlora on a 3090", "mit unsloth?", "qlora"),
    ],
)
def test_other_bits_make_another_method(first: str, then: str, method: str) -> None:
    assert after(first, then).method == method


def test_a_card_turns_which_into_whether() -> None:
    assert after("which gpu for 13b qlora?", "on a 4090?").kind is Kind.FITS_CHECK


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("how long would 10k examples take?", Kind.TIME_ESTIMATE),
        ("and how much system RAM do I need?", Kind.SYSTEM_RAM),
        ("und wie viel RAM brauche ich dann?", Kind.SYSTEM_RAM),
        ("how much context could I use then?", Kind.CONTEXT_LENGTH),
        ("brauch ich da viel ram?", Kind.SYSTEM_RAM),
        ("geht das in der cloud?", Kind.COST_BUY_VS_RENT),
        ("can I rent one?", Kind.COST_BUY_VS_RENT),
        ("wie lange dauert das?", Kind.TIME_ESTIMATE),
        ("is it enough?", Kind.FITS_CHECK),
    ],
)
def test_another_question_about_the_same_set_up(text: str, kind: Kind) -> None:
    query = after(START, text)
    assert query.kind is kind
    assert query.model == "meta-llama/Llama-3.1-8B"
    assert cards(query) == [("rtx-3060-12gb", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "70b lora on 2x A100 80GB",
        "which gpu do I need to finetune a 70b with lora?",
        "Reicht eine 3090 für QLoRA mit 13B?",
        "13b qlora",
        "is a 4090 enough for mistral 7b?",
    ],
)
def test_a_new_subject_starts_afresh(text: str) -> None:
    assert after(START, text) == read(Question(text=text)).query


def test_a_budget_is_a_limit_and_no_other_question() -> None:
    query = after("which gpu for 70b qlora?", "budget is 1500 euro")
    assert (query.kind, query.budget) == (after("which gpu for 70b qlora?").kind, 1500)


def test_comparing_needs_two_things() -> None:
    assert after(START, "is lora better?").kind is not Kind.COMPARE_GPUS
    assert after(START, "3090 or 4090?").kind is Kind.COMPARE_GPUS


@pytest.mark.parametrize("text", ["auf deutsch bitte", "again?", "in english please"])
def test_the_same_once_more(text: str) -> None:
    query = after(START, text)
    assert (query.kind, query.model, query.seq_len) == (Kind.FITS_CHECK, "meta-llama/Llama-3.1-8B", 4096)


def test_a_definition_in_between_changes_nothing() -> None:
    query = after(START, "what is qlora?", "and with 8k context?")
    assert (query.model, query.seq_len) == ("meta-llama/Llama-3.1-8B", 8192)


@pytest.mark.parametrize(
    ("text", "show"),
    [
        ("why?", "why"),
        ("warum?", "why"),
        ("wieso so viel?", "why"),
        ("where does that come from?", "why"),
        ("config?", "config"),
        ("gib mir die config", "config"),
        ("how do I make it fit?", "fit"),
        ("was kann ich ändern?", "fit"),
        ("cheaper?", "cheaper"),
        ("günstiger?", "cheaper"),
        ("something faster?", "faster"),
        ("tell me more", "more"),
        ("prices?", "prices"),
        ("zeig mir die preise", "prices"),
    ],
)
def test_what_to_show_of_the_answer_before(text: str, show: str) -> None:
    query = after(START, text)
    assert query.show == show
    assert query.model == "meta-llama/Llama-3.1-8B"


def test_cheaper_looks_for_other_cards() -> None:
    query = after(START, "cheaper?")
    assert query.kind is Kind.WHICH_GPU
    assert not query.gpus


@pytest.mark.parametrize(
    "text",
    ["thanks", "Thanks a lot!", "thank you so much", "danke", "danke dir!", "super, vielen dank", "ok cool", "👍 thx"],
)
def test_thanks_is_no_question(text: str) -> None:
    assert is_thanks(text)
    assert after(START, text).show == "thanks"


@pytest.mark.parametrize("text", ["", "you", "thanks, and with 8k?", "what", "ok and on a 4090?"])
def test_what_is_more_than_thanks(text: str) -> None:
    assert not is_thanks(text)


def test_where_every_slot_comes_from() -> None:
    query = after(START, "and with 8k context?")
    assert query.sources["seq_len"] == "stated"
    assert query.sources["model"] == "remembered"
    assert query.sources["gpus"] == "remembered"


def test_an_assumption_stays_one() -> None:
    query = after("13b qlora", "and with 8k context?")
    assert query.sources["model"] == "assumed"


def test_the_crash_is_forgotten_with_another_question() -> None:
    before = Query(
        kind=Kind.OOM_HELP, params_b=7, symptoms=("oom_eval",), tried_allocate_gib=2, capacity_gib=23.6,
        sources={"params_b": "stated", "tried_allocate_gib": "stated", "capacity_gib": "stated"},
    )  # fmt: skip
    asked = follow(before, Query(kind=Kind.SYSTEM_RAM), "and how much ram?")
    assert (asked.symptoms, asked.tried_allocate_gib, asked.params_b) == ((), None, 7)
    still = follow(
        before, Query(kind=Kind.OOM_HELP, micro_batch=1, sources={"micro_batch": "stated"}), "and with batch 1?"
    )
    assert (still.symptoms, still.capacity_gib, still.micro_batch) == (("oom_eval",), 23.6, 1)


def test_one_card_is_not_sharded() -> None:
    two = CardCount(gpu="rtx-3090", name="GeForce RTX 3090", count=2, vram_gb=24)
    before = Query(kind=Kind.FITS_CHECK, gpus=(two,), sharding="fsdp", sources={"gpus": "stated", "sharding": "stated"})
    one = two.model_copy(update={"count": 1})
    asked = follow(before, Query(kind=Kind.FITS_CHECK, gpus=(one,), sources={"gpus": "stated"}), "and on one 3090?")
    assert asked.sharding is None
    assert "sharding" not in asked.sources


def test_every_phrase_is_found_again() -> None:
    for phrase, codes in grammar()[0].items():
        found = codes_in(tuple("2" if word == "{n}" else word for word in phrase))
        assert codes <= set(found)


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_two_texts_break_it(first: str, second: str) -> None:
    previous = read(Question(text=first)).query
    assert isinstance(read(Question(text=second), previous).query, Query)


@given(
    st.lists(
        st.sampled_from(
            [
                START,
                ANFANG,
                "13b qlora",
                "and with 8k?",
                "two of them",
                "why?",
                "cheaper?",
                "und mit LoRA?",
                "thanks",
                "on a 4090",
                "longer context",
                "what is lora",
                "3090 or 4090?",
            ]
        ),
        max_size=6,
    )
)
def test_no_conversation_breaks_it(texts: list[str]) -> None:
    query = after(*texts) if texts else Query()
    assert all(getattr(query, slot) is not None for slot in query.sources if slot in Query.model_fields)


def test_words_of_a_long_message_are_bounded() -> None:
    assert len(words_of("a " * 100_000)) == 60


def test_a_crash_after_a_comparison_names_no_card() -> None:
    asked = after("3090 vs 4090 for 13b qlora", "out of memory at seq 4096")
    assert (asked.kind, asked.gpus, asked.candidates, asked.params_b) == (Kind.OOM_HELP, (), (), 13)
    asked = after("13b qlora on a 3090", "out of memory at seq 4096")
    assert [card.gpu for card in asked.gpus] == ["rtx-3090"]
    asked = after("3090 vs 4090 for 13b qlora", "out of memory on the 3090")
    assert [card.gpu for card in asked.gpus] == ["rtx-3090"]
