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


def test_a_log_line_tells_the_peak() -> None:
    run = {"kind": "oom_help", "params_b": 8.0, "method": "lora", "seq_len": 4096, "symptoms": ("log_cache",)}
    found = cache_keeps.check(case(**run, named={"logged_gib": ("13.0", "56.0", "1.0")}))
    assert found is not None
    assert found.facts["peak"] == 70 * 2**30
    assert found.facts["checked"] < found.facts["open"]


def test_checkpointing_that_is_on_is_not_told_to_be_off() -> None:
    run = {"kind": "oom_help", "params_b": 8.0, "method": "lora", "grad_checkpointing": True}
    found = cache_keeps.check(case(**run, symptoms=("log_cache",), named={"logged_gib": ("13.0", "56.0")}))
    assert found is not None
    assert found.facts["checked"] is None
