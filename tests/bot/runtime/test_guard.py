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


def test_who_has_not_asked_for_a_while_is_forgotten() -> None:
    clock = Clock()
    buckets = Buckets(20, clock)
    for person in range(10_000):
        clock.now += 0.05
        buckets.take(str(person))
    assert len(buckets) <= 601  # those of the last half minute


class Remembering(Buckets):
    """Never forgets anybody."""

    def _forget(self, now: float) -> None:
        pass


STEPS = st.lists(st.tuples(st.integers(0, 160), st.sampled_from("abc"), st.sampled_from((1, 2))), max_size=60)


@given(st.sampled_from((0.5, 4, 20)), STEPS)
def test_forgetting_changes_no_verdict(per_minute: float, steps: list[tuple[int, str, int]]) -> None:
    clock = Clock()
    forgetful, remembering = Buckets(per_minute, clock), Remembering(per_minute, clock)
    for pause, person, weight in steps:
        clock.now += pause / 4
        found = [buckets.take(person, weight) for buckets in (forgetful, remembering)]
        told = [bucket and bucket.told for bucket in found]
        assert told[0] == told[1]
        for bucket in filter(None, found):
            bucket.told = True


@given(st.text(st.characters(), max_size=100))
def test_what_is_read_is_clean_and_short(text: str) -> None:
    kept = fitting(text * 200)
    assert len(kept) <= TEXT_CHARS
    kept.encode()
    assert "\0" not in kept
