"""A query in a button: what goes in comes out, nothing from outside breaks it, no button ever means another card."""

import re
import string
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import BadValue
from advisor.query import CardCount, Kind, Query
from bot.codec import apply_change, pack, shorten, unpack
from bot.codec import words as tables
from bot.codec.bits import LARGEST, BitReader, BitWriter, BrokenError
from bot.codec.catalog_hash import WIDTH, by_number, hashed, index
from bot.codec.changes import READERS
from bot.codec.fields import ESSENTIAL, EXTRA
from bot.codec.short import ROOM, lengthen
from knowledge.catalog import load_catalog
from knowledge.language import load_language, shared_phrases

CATALOG = load_catalog()
GPUS = sorted(CATALOG.gpus)
MODELS = sorted(CATALOG.models)
SIBLINGS = sorted({name.split(" ")[0] for model in CATALOG.models.values() for name in model.siblings})


def card(gpu: str, count: int) -> CardCount:
    known = CATALOG.gpus[gpu]
    return CardCount(gpu=gpu, name=known.name, count=count, vram_gb=known.vram_gb)


cards = st.builds(card, st.sampled_from(GPUS), st.integers(1, 64))
slots = st.fixed_dictionaries(
    {},
    optional={
        "model": st.sampled_from(MODELS + SIBLINGS),
        "method": st.sampled_from(tables.METHODS),
        "weight_bits": st.sampled_from([4.0, 8.0, 16.0]),
        "seq_len": st.integers(1, 200_000),
        "micro_batch": st.integers(1, 512),
        "grad_accum": st.integers(1, 512),
        "lora_rank": st.integers(1, 1024),
        "trainer": st.sampled_from(tables.TRAINERS),
        "optimizer": st.sampled_from(tables.OPTIMIZERS),
        "grad_checkpointing": st.sampled_from(tables.CHECKPOINTING),
        "sharding": st.sampled_from(tables.SHARDING),
        "offload": st.sampled_from(tables.OFFLOAD),
        "gpus": st.lists(cards, min_size=1, max_size=2, unique_by=lambda found: found.gpu).map(tuple),
    },
)


def query_of(found: dict[str, Any], kind: Kind) -> Query:
    return Query(kind=kind, sources=dict.fromkeys(found, "remembered"), **found)


@given(slots, st.sampled_from(list(Kind)))
def test_what_goes_in_comes_out(found: dict[str, Any], kind: Kind) -> None:
    query = query_of(found, kind)
    state = pack(query)
    assert state is not None
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,40}", state)
    assert unpack(state) == query


def test_everything_at_once_still_fits() -> None:
    """The longest query of essential slots with usual numbers: forty characters."""
    query = query_of(
        {
            "model": MODELS[0], "method": "qlora", "weight_bits": 4.0, "seq_len": 131072, "micro_batch": 16,
            "grad_accum": 64, "lora_rank": 256, "trainer": "llama-factory", "optimizer": "paged_adamw_32bit",
            "grad_checkpointing": "unsloth", "n_gpus": 8, "sharding": "fsdp", "offload": "activations",
            "gpus": (card(GPUS[0], 8), card(GPUS[1], 8)),
        },
        Kind.FITS_CHECK,
    )  # fmt: skip
    state = pack(query)
    assert state is not None
    assert unpack(state) == query


def test_what_is_extra_goes_when_there_is_no_room() -> None:
    full = {
        "model": MODELS[0], "method": "qlora", "seq_len": 131072, "micro_batch": 16, "grad_accum": 64, "lora_rank": 256,
        "trainer": "llama-factory", "optimizer": "adamw_8bit", "gpus": (card(GPUS[0], 8), card(GPUS[1], 8)),
    }  # fmt: skip
    extra = {
        "dataset_examples": 1_000_000,
        "ram_gb": 128.0,
        "budget": 2500.0,
        "currency": "EUR",
        "dataset_tokens": 10**9,
    }
    state = pack(query_of(full | extra, Kind.TIME_ESTIMATE))
    assert state is not None
    back = unpack(state)
    assert back is not None
    assert {slot: getattr(back, slot) for slot in full} == full
    assert back.dataset_examples == 1_000_000


def test_extras_and_alternatives_come_out_too() -> None:
    found = {
        "params_b": 13.0,
        "candidates": ((card("rtx-3090", 2),), (card("rtx-5090", 1),)),
        "budget": 1500.0,
        "currency": "USD",
        "symptoms": ("oom_eval",),
        "epochs": 2.5,
    }
    state = pack(query_of(found, Kind.COMPARE_GPUS))
    assert state is not None
    assert unpack(state) == query_of(found, Kind.COMPARE_GPUS)


def test_every_symptom_that_is_read_travels() -> None:
    read = {code for language in ("en", "de") for code in load_language(language).phrases["symptoms"]}
    assert read <= set(tables.SYMPTOMS)
    assert len(set(tables.SYMPTOMS)) == len(tables.SYMPTOMS) <= 256
    query = query_of({"params_b": 7.0, "symptoms": (tables.SYMPTOMS[-1],)}, Kind.OOM_HELP)
    assert unpack(pack(query) or "") == query


def test_a_size_alone_is_a_card_too() -> None:
    query = query_of({"gpus": (CardCount(count=2, vram_gb=24.0),)}, Kind.FITS_CHECK)
    assert unpack(pack(query) or "") == query


def test_our_own_assumptions_are_made_again() -> None:
    """Only an assumed model or card travels, marked as assumed: the answer must be about the same one."""
    query = Query(
        kind=Kind.FITS_CHECK, model=MODELS[0], seq_len=2048, gpus=(card("rtx-3060-12gb", 1),),
        sources={"model": "assumed", "seq_len": "assumed", "gpus": "assumed"},
    )  # fmt: skip
    back = unpack(pack(query) or "")
    assert back is not None
    assert back.seq_len is None
    assert back.model == MODELS[0]
    assert back.sources == {"model": "assumed", "gpus": "assumed"}


@pytest.mark.parametrize(
    "query",
    [
        Query(model="someone/not-in-the-catalog", sources={"model": "stated"}),
        Query(method="a method of tomorrow", sources={"method": "stated"}),
        Query(seq_len=LARGEST + 1, sources={"seq_len": "stated"}),
        Query(gpus=tuple(CardCount(name="x", vram_gb=8) for _ in range(4)), sources={"gpus": "stated"}),
    ],
)
def test_what_cannot_be_written_is_not_packed(query: Query) -> None:
    assert pack(query) is None


@given(st.text(alphabet=string.ascii_letters + string.digits + "-_=|~\x00é", max_size=60))
def test_no_text_from_outside_breaks_it(text: str) -> None:
    found = unpack(text)
    assert found is None or isinstance(found, Query)


@given(st.text(alphabet=string.ascii_letters + string.digits + "-_", max_size=39).map("a".__add__))
def test_whatever_can_be_read_can_be_written_again(text: str) -> None:
    found = unpack(text)
    if found is not None and (again := pack(found)) is not None:
        assert unpack(again) == found


def test_a_packed_query_of_today_is_still_read_tomorrow() -> None:
    """Old buttons keep working: these were made by this version. A change here needs another version letter."""
    assert pack(query_of({"params_b": 13.0, "method": "qlora"}, Kind.WHICH_GPU)) == "bAwAOlkBA"
    found = {"model": "meta-llama/Llama-3.1-8B", "seq_len": 4096, "gpus": (card("rtx-3060-12gb", 1),)}
    assert pack(query_of(found, Kind.FITS_CHECK)) == "bDEAHbTBNAAPJu_Ag"


@pytest.mark.parametrize("table", sorted(WIDTH))
def test_every_name_of_the_catalog_has_a_number_of_its_own(table: str) -> None:
    """When two names share a number neither is packed: widen WIDTH and take the next version letter."""
    names = set(getattr(CATALOG, table)) | (set(SIBLINGS) if table == "models" else set())
    assert set(by_number(table).values()) == names


def test_every_word_that_the_reader_knows_can_be_packed() -> None:
    """A word that is missing is to be appended to its table in bot/codec/words.py."""
    values = shared_phrases()["values"]
    assert set(values["trainer"]) | set(CATALOG.trainers) <= set(tables.TRAINERS)
    for slot, table in {
        "method": tables.METHODS, "optimizer": tables.OPTIMIZERS, "sharding": tables.SHARDING, "os": tables.SYSTEMS,
        "attention": tables.ATTENTION, "compute_dtype": tables.DTYPES, "algorithm": tables.ALGORITHMS,
        "offload": tables.OFFLOAD,
    }.items():  # fmt: skip
        assert set(values[slot]) <= set(table), slot


def test_another_card_changes_no_number() -> None:
    before = index(GPUS, WIDTH["gpus"])
    after = index(["a-card-of-tomorrow", *reversed(GPUS)], WIDTH["gpus"])
    assert {number: name for number, name in after.items() if name != "a-card-of-tomorrow"} == before


def test_names_that_share_a_number_have_none() -> None:
    names = [f"card-{number}" for number in range(200)]
    shared = {hashed(name, 6) for name in names if sum(hashed(other, 6) == hashed(name, 6) for other in names) > 1}
    assert not shared & index(names, 6).keys()


@given(st.lists(st.integers(0, LARGEST), max_size=8))
def test_numbers_as_bits(numbers: list[int]) -> None:
    out = BitWriter()
    for number in numbers:
        out.number(number)
    source = BitReader(out.text())
    assert [source.number() for _ in numbers] == numbers
    source.end()


def test_bits_that_end_too_early_are_broken() -> None:
    with pytest.raises(BrokenError):
        BitReader("_").number()


def test_every_packed_slot_is_one_of_a_query() -> None:
    assert {field.slot for field in (*ESSENTIAL, *EXTRA)} <= set(Query.model_fields)


BASE = Query(
    kind=Kind.FITS_CHECK, model="huggyllama/llama-13b", method="qlora", weight_bits=4, gpus=(card("rtx-3090", 2),),
    sharding="fsdp",
    sources={"model": "assumed"} | dict.fromkeys(("method", "weight_bits", "gpus", "sharding"), "stated"),
)  # fmt: skip


def test_a_change_is_stated_and_the_rest_remembered() -> None:
    changed = apply_change(BASE, "seq_len=8192")
    assert changed.seq_len == 8192
    assert changed.sources == {
        "model": "assumed", "method": "remembered", "weight_bits": "remembered", "gpus": "remembered",
        "sharding": "remembered", "seq_len": "stated",
    }  # fmt: skip


def test_another_method_forgets_the_bits() -> None:
    changed = apply_change(BASE, "method=lora")
    assert (changed.method, changed.weight_bits) == ("lora", None)
    assert "weight_bits" not in changed.sources


def test_one_card_has_no_sharding() -> None:
    changed = apply_change(BASE, "count=1")
    assert (changed.gpus[0].count, changed.sharding) == (1, None)
    assert "sharding" not in changed.sources


def test_another_card_keeps_the_number() -> None:
    changed = apply_change(BASE, "gpu=rtx-4090")
    assert changed.gpus == (card("rtx-4090", 2),)


def test_another_model_forgets_the_size() -> None:
    changed = apply_change(Query(params_b=7, sources={"params_b": "stated"}), "model=huggyllama/llama-13b")
    assert (changed.model, changed.params_b) == ("huggyllama/llama-13b", None)


def test_several_changes_at_once() -> None:
    changed = apply_change(BASE, "seq_len=1024;micro_batch=1;grad_checkpointing=true")
    assert (changed.seq_len, changed.micro_batch, changed.grad_checkpointing) == (1024, 1, True)


def test_a_definition_becomes_a_question_about_the_set_up() -> None:
    assert apply_change(Query(kind=Kind.FAQ_DEFINITION), "seq_len=4096").kind is Kind.WHICH_GPU
    assert apply_change(BASE.model_copy(update={"kind": Kind.HELP}), "seq_len=4096").kind is Kind.FITS_CHECK


@pytest.mark.parametrize(
    "change",
    [
        "", "seq_len", "seq_len=", "seq_len=-1", "seq_len=0", "seq_len=99999999999", "seq_len=4k", "seq_len=٣", "no=1",
        "model=someone/else", "gpu=rtx-9999", "method=magic", "sources=x", "kind=admin", "__class__=x", "params_b=1e9",
        "vram_gb=inf", "seq_len=1;" * 9, "x" * 200, "gpu=~zzzz", "gpu=~", "trainer=rm -rf", "grad_checkpointing=maybe",
    ],
)  # fmt: skip
def test_no_other_change_is_taken(change: str) -> None:
    with pytest.raises(BadValue):
        apply_change(BASE, change)


@given(st.text(max_size=120))
def test_a_change_from_outside_is_taken_or_refused(change: str) -> None:
    with suppress(BadValue):
        assert isinstance(apply_change(BASE, change), Query)


LONG = (
    "gpu=rtx-pro-6000-blackwell",
    "model=meta-llama/Llama-3.1-8B",
    "grad_checkpointing=unsloth",
    "optimizer=paged_adamw_8bit",
)


@pytest.mark.parametrize("change", LONG)
def test_long_changes_are_made_short_and_mean_the_same(change: str) -> None:
    short = shorten(change)
    assert len(short) <= ROOM
    assert lengthen(short) == change or change.split("=")[1] not in (*GPUS, *MODELS)


@pytest.mark.parametrize("slot", sorted(READERS))
def test_every_slot_that_a_button_can_change_can_be_read_back(slot: str) -> None:
    values = {
        "kind": "system_ram", "model": "huggyllama/llama-13b", "method": "lora", "trainer": "unsloth",
        "optimizer": "adamw_8bit", "grad_checkpointing": "true", "attention": "flash", "compute_dtype": "bf16",
        "fused_loss": "true", "packing": "false", "algorithm": "dpo", "gpu": "rtx-4090", "sharding": "zero3",
        "offload": "params", "os": "linux", "weight_bits": "8",
    }  # fmt: skip
    assert isinstance(apply_change(BASE, f"{slot}={values.get(slot, '4')}"), Query)
