"""Our answers hold what good answers to the given questions must contain; the checker lists the misses."""

from tests.advisor.checker import check, figures, rows
from tests.paths import needs_shared


@needs_shared
def test_answers_hold_the_key_facts() -> None:
    found = figures([check(row) for row in rows()])
    assert found["questions"] == 231
    assert found["ideas"] >= 0.75
    assert found["amounts"] >= 0.5
    assert found["verdicts"] >= 0.6
