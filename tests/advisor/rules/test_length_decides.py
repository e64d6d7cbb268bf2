"""The rule length_decides."""

from advisor.rules import length_decides
from bot.messages import Question
from bot.parser import read
from tests.advisor.rules.ask import cards, case

LONG = {"params_b": 7.0, "method": "qlora", "gpus": cards("rtx-3090"), "symptoms": ("long_unsaid",)}


def test_shows_what_long_texts_take() -> None:
    found = length_decides.check(case(kind="fits_check", **LONG))
    assert found is not None
    (short, lean, less), (long, leaner, more) = found.facts["rows"]
    assert (short, long) == (8192, 32768)
    assert 0 < lean < less < more
    assert lean < leaner < more


def test_only_lengths_that_the_model_was_made_for() -> None:
    found = length_decides.check(case(kind="fits_check", model="deepseek-ai/deepseek-llm-7b-base", **LONG_ONLY))
    assert found is None


LONG_ONLY = {name: value for name, value in LONG.items() if name != "params_b"}


def test_silent_where_a_length_is_stated_or_asked_for() -> None:
    assert length_decides.check(case(kind="fits_check", seq_len=16384, **LONG)) is None
    assert length_decides.check(case(kind="context_length", **LONG)) is None


def test_long_without_a_number_is_read() -> None:
    assert "long_unsaid" in read(Question(text="2x A100 80g, 7b long ctx: OOM at the second batch")).query.symptoms
    assert "long_unsaid" in read(Question(text="7b qlora mit langem Kontext auf einer 3090?")).query.symptoms
    assert "long_unsaid" not in read(Question(text="how long does 7b qlora take on a 3090?")).query.symptoms
