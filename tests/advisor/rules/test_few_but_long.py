"""The rule few_but_long."""

from advisor.case import Case
from advisor.query import Kind
from advisor.rules import few_but_long
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import stated


def _read(each: int, source: str = "assumed", **slots: object) -> Case:
    query = stated(Kind.OOM_HELP, params_b=8.0, dataset_examples=40, tokens_per_example=each, **slots)
    return Case(query.model_copy(update={"sources": {**query.sources, "tokens_per_example": source}}), load_catalog())


def test_a_files_size_tells_the_length() -> None:
    found = few_but_long.check(_read(4600, symptoms=("oom_step",), os="macos"))
    assert found is not None
    assert (found.gravity, found.facts["each"], found.facts["rows"], found.facts["mlx"]) == ("stop", 4600, 40, True)


def test_a_remark_where_nothing_died() -> None:
    found = few_but_long.check(_read(4600))
    assert found is not None
    assert found.gravity == "note"


def test_silent_on_short_ones() -> None:
    assert few_but_long.check(_read(600, symptoms=("oom_step",))) is None


def test_silent_where_the_length_was_told() -> None:
    assert few_but_long.check(_read(4600, "stated", symptoms=("oom_step",))) is None
