from hypothesis import given
from hypothesis import strategies as st

from bot.guard import BUCKETS, TEXT_CHARS, Buckets, Guard, fitting


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def guard(clock: Clock, **lists: tuple[str, ...]) -> Guard:
    return Guard(per_user=4, per_chat=10, clock=clock, **lists)


def test_over_the_limit_one_word_then_silence_then_again() -> None:
    clock = Clock()
    limited = guard(clock)
    assert [limited.check("t", "ann", "1") for _ in range(5)] == ["yes", "yes", "say_wait", "silent", "silent"]
    clock.now += 15
    assert [limited.check("t", "ann", "1") for _ in range(3)] == ["yes", "say_wait", "silent"]


def test_one_person_does_not_use_up_anothers() -> None:
    limited = guard(Clock())
    for _ in range(10):
        limited.check("t", "ann", "1")
    assert limited.check("t", "bob", "1") == "yes"
    assert limited.check("d", "ann", "1") == "yes"


def test_a_raided_chat_falls_silent_and_private_answers_go_on() -> None:
    limited = guard(Clock())
    assert [limited.check("t", f"p{i}", "1") for i in range(7)] == ["yes"] * 5 + ["silent"] * 2
    assert limited.check("t", "p9", "1", public=False) == "yes"
    assert limited.check("t", "p8", "2") == "yes"


def test_lists() -> None:
    clock = Clock()
    assert guard(clock, deny_users=("t:eve",)).check("t", "eve", "1") == "denied"
    assert guard(clock, deny_chats=("d:9",)).check("d", "ann", "1", places=("9",)) == "denied"
    allowed = guard(clock, allow_chats=("d:9", "t:5"))
    assert allowed.check("d", "ann", "1", places=("9",)) == "yes"
    assert allowed.check("t", "ann", "5") == "yes"
    assert allowed.check("t", "ann", "6") == "denied"


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    clock = Clock()
    limited = guard(clock)
    clock.now = 1_000
    for _ in range(4):
        limited.check("t", "ann", "1")
    clock.now = 0
    assert limited.check("t", "ann", "1") == "silent"


def test_memory_is_bounded() -> None:
    buckets = Buckets(60, Clock(), most=100)
    for person in range(1_000):
        buckets.take(str(person))
    assert len(buckets) == 100
    assert BUCKETS <= 50_000


@given(st.text(st.characters(), max_size=100))
def test_what_is_read_is_clean_and_short(text: str) -> None:
    kept = fitting(text * 200)
    assert len(kept) <= TEXT_CHARS
    kept.encode()
    assert "\0" not in kept
