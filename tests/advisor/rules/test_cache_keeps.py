"""The rule cache_keeps."""

from advisor.rules import cache_keeps
from tests.advisor.rules.ask import case


def test_speaks_and_tells_a_run_that_goes_on_from_one_that_died() -> None:
    runs = cache_keeps.check(case(kind="oom_help", symptoms=("asks_normal", "never_freed")))
    died = cache_keeps.check(case(kind="oom_help", symptoms=("oom_later", "never_freed")))
    assert runs is not None
    assert died is not None
    assert (runs.facts["failed"], died.facts["failed"]) == (False, True)


def test_silent_unasked() -> None:
    assert cache_keeps.check(case(kind="oom_help", symptoms=("asks_normal",))) is None
