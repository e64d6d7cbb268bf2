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


def test_tied_embeddings_are_counted_once() -> None:
    told = {"kind": "oom_help", "symptoms": ("oom_step", "trains_embeddings")}
    tied = embeddings_trained.check(case(model="meta-llama/Llama-3.2-3B", **told))
    untied = embeddings_trained.check(case(model="meta-llama/Llama-3.1-8B", **told))
    assert tied is not None
    assert untied is not None
    assert tied.facts["size"] == 2 * 128_256 * 3072
    assert untied.facts["size"] == 2 * 2 * 128_256 * 4096
