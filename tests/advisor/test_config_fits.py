"""A configuration is asked for a set-up that does not fit: it is that of the changes that make it fit."""

from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from knowledge.catalog import load_catalog

CARD = (CardCount(gpu="rtx-4090", vram_gb=24.0),)


def asked(**slots: object) -> Query:
    return Query(kind=Kind.FITS_CHECK, gpus=CARD, sources=dict.fromkeys((*slots, "gpus"), "stated"), **slots)  # type: ignore[arg-type]


def test_what_does_not_fit_is_configured_as_it_fits() -> None:
    advice = advise(asked(model="Qwen/Qwen2.5-32B", method="lora"), load_catalog(), show="config")
    assert advice.setup is not None
    assert (advice.setup.method, advice.setup.weight_bits) == ("qlora", 4.0)


def test_what_fits_is_configured_as_it_is() -> None:
    query = asked(model="meta-llama/Llama-3.1-8B", method="lora", seq_len=2048)
    advice = advise(query, load_catalog(), show="config")
    assert advice.setup is not None
    assert (advice.setup.method, advice.setup.seq_len) == ("lora", 2048)


def test_a_batch_that_is_too_large_becomes_one() -> None:
    query = asked(model="meta-llama/Llama-3.1-8B", method="qlora", seq_len=8192, micro_batch=16)
    advice = advise(query, load_catalog(), show="config")
    assert advice.setup is not None
    assert advice.setup.micro_batch == 1
