"""The rule leaner_elsewhere."""

from advisor.rules import leaner_elsewhere
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert (
        leaner_elsewhere.check(
            case(kind="oom_help", params_b=8.0, method="full", symptoms=("leaner_elsewhere",), trainer="torchtune")
        )
        is not None
    )


def test_silent() -> None:
    assert (
        leaner_elsewhere.check(case(kind="oom_help", params_b=8.0, method="full", symptoms=("leaner_elsewhere",)))
        is None
    )
