"""No text makes the reader fail, and whatever it reads keeps its promises."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from advisor.query import Query
from bot.messages import Question
from bot.parser import read
from bot.parser.cards.named import MOST_NAMED
from bot.parser.numbers import MOST_NUMBERS, numbers_of
from bot.parser.text import MAX_LENGTH, Message
from knowledge.language import LANGUAGES
from tests.fuzz.messages import REPEATED, anything

FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(query: Query) -> None:
    assert query.stated == tuple(slot for slot, source in query.sources.items() if source == "stated")
    for slot in query.sources:
        assert getattr(query, slot) not in (None, (), ""), slot
    assert Query.model_validate_json(query.model_dump_json()) == query
    assert all(1 <= card.count <= 100_000 for card in query.gpus)


@FEW
@example("")
@example("\x00\x1b[31m")
@example("🤖🔥" * 50)
@example("9" * 5_000)
@example("1,1,1,1," * 500)
@example("3090 " * 1_500)
@example("x" * 10_000)
@example("qwen 0b 2.0b llama-0b e0b a0b 0x0b")
@example("RAM0E-0A")  # a learning rate is nobody's number
@example("4x" * 3_000)
@example("-9 killed 9-9 --9")
@example("İSTANBUL'DA 3090 İLE 7B")
@example("r⓷ 1e❶ bloom-7b➋ x፩ 𐩀b")  # digits that are no numbers
@example("٣٠٩٠ 3090 ３０９０ 10⁹ ½ ㎇ ⅷ")
@given(text=anything)
def test_any_text_is_read(text: str) -> None:
    reading = read(Question(text=text))
    assert reading.language in LANGUAGES
    assert reading.speak
    check(reading.query)


@FEW
@given(text=anything, locale=st.sampled_from((None, "de-AT", "en-GB", "pt-BR", "??")))
def test_a_message_in_passing_never_gets_a_pointer(text: str, locale: str | None) -> None:
    reading = read(Question(text=text, asked="overheard", locale=locale))
    if reading.speak:
        assert reading.query.kind not in ("off_topic", "inference_only", "help")


@FEW
@given(first=anything, then=anything)
def test_any_two_messages_are_a_conversation(first: str, then: str) -> None:
    check(read(Question(text=then), read(Question(text=first)).query).query)


@FEW
@example("ﷺ")  # one character that normalises to eighteen
@given(piece=st.text(min_size=1, max_size=20))
def test_a_long_text_is_cut(piece: str) -> None:
    message = Message.of(piece * (MAX_LENGTH // len(piece) + 100))
    assert len(message.tokens) <= len(message.text) <= 2 * MAX_LENGTH  # lower case may add a mark to a letter


@pytest.mark.parametrize("unit", REPEATED)
def test_the_same_again_and_again_is_read(unit: str) -> None:
    message = Message.of(unit * MAX_LENGTH)
    assert len(message.text) <= MAX_LENGTH
    assert len(numbers_of(message, german=False)) <= MOST_NUMBERS
    query = read(Question(text=unit * MAX_LENGTH)).query
    assert len(query.gpus) <= MOST_NAMED
    check(query)


@given(
    options=st.dictionaries(
        st.sampled_from(("gpu", "model", "context", "kind", "batch", "other", "x")), st.text(max_size=30)
    )
)
@FEW
def test_any_arguments_are_read(options: dict[str, str]) -> None:
    check(read(Question(options=options, asked="command")).query)
