"""The rule spills_over."""

from advisor.case import Case
from advisor.query import Kind
from advisor.rules import spills_over
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case, stated


def _slowed(first: str, then: str, gpu: str = "rtx-5080", count: int = 1, **slots: object) -> Case:
    named = {"seen_s_per_step": (first, then)}
    gpus = cards(gpu, count)
    query = stated(Kind.TIME_ESTIMATE, named=named, params_b=7.0, seen_s_per_step=float(first), gpus=gpus, **slots)
    return Case(query, load_catalog())


def test_two_speeds_of_one_run() -> None:
    found = spills_over.check(_slowed("2", "45", os="windows-wsl2"))
    assert found is not None
    assert found.facts["windows"]
    assert found.facts["seen"] == [(2.0, 2.0), (45.0, 45.0)]
    assert found.facts["keep"] < 16 * 2**30


def test_words_do_as_well() -> None:
    made = case(params_b=7.0, kind="time_estimate", gpus=cards("rtx-3060-12gb"), symptoms=("gets_slower",))
    assert spills_over.check(made) is not None


def test_silent_where_it_hardly_slows() -> None:
    assert spills_over.check(_slowed("2", "3")) is None


def test_silent_on_several_cards() -> None:
    assert spills_over.check(_slowed("0.1", "30", "a10g", 8)) is None


def test_silent_where_it_died() -> None:
    assert spills_over.check(_slowed("2", "45", symptoms=("oom_step",))) is None
