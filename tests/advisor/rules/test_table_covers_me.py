"""The rule table_covers_me."""

from advisor.rules import table_covers_me
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = table_covers_me.check(
        case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("t4", 8), claims=("table_covers_me",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert table_covers_me.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("t4", 8))) is None
