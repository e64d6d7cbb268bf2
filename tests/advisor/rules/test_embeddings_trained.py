"""The rule embeddings_trained."""

from advisor.rules import embeddings_trained
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = embeddings_trained.check(
        case(model="meta-llama/Llama-3.1-8B", kind="faq_definition", symptoms=("big_checkpoint",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert embeddings_trained.check(case(model="meta-llama/Llama-3.1-8B", kind="faq_definition")) is None


def test_speaks_when_they_are_named_in_words() -> None:
    found = embeddings_trained.check(case(params_b=1.0, kind="oom_help", symptoms=("oom_step", "trains_embeddings")))
    assert found is not None
    assert found.facts["trained"]
