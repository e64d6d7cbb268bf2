"""A part that is made without checks is the part that is made with them."""

import pytest
from pydantic import ValidationError

from advisor.advice import Finding, Mark, Need, Rung, note, warn
from advisor.case import Case
from advisor.made import made
from advisor.query import Query, SetUp
from advisor.stacks import SET_UP_FIELDS
from knowledge.catalog import load_catalog


def test_it_is_equal_to_a_checked_one_and_written_the_same() -> None:
    slots = {"model": "meta-llama/Llama-2-13b-hf", "method": "qlora", "seq_len": 4096}
    quick, checked = made(SetUp, dict.fromkeys(SET_UP_FIELDS) | slots), SetUp(**slots)
    assert quick == checked
    assert quick.model_dump_json() == checked.model_dump_json()
    changed = quick.model_copy(update={"seq_len": 8192})
    assert (changed.seq_len, quick.seq_len) == (8192, 4096)


def test_unstated_slots_are_all_of_them_in_order() -> None:
    assert tuple(SetUp.model_fields) == SET_UP_FIELDS
    assert SetUp(**dict.fromkeys(SET_UP_FIELDS)) == SetUp()


def test_a_need_names_every_field_in_order() -> None:
    case = Case(
        Query(params_b=13.0, method="qlora", sources={"params_b": "stated", "method": "stated"}), load_catalog()
    )
    need = case.need(case.stacks[0], (16, 24))
    assert tuple(vars(need)) == tuple(Need.model_fields)
    assert Need(**vars(need)) == need
    assert all(isinstance(mark, Mark) for mark in need.marks)


def test_a_part_of_ours_has_its_defaults_and_refuses_what_it_does_not_know() -> None:
    """Unchecked values, but no field too many or too few, and no default that two parts share."""
    rung = Rung(value=2048, needs=(1,))
    assert (rung.fits, list(rung.__dict__)) == ((), list(Rung.model_fields))
    assert note().facts == {}
    assert note().facts is not note().facts
    with pytest.raises(TypeError, match="needs"):
        Rung(value=2048)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="colour"):
        Rung(value=2048, needs=(1,), colour="red")  # type: ignore[call-arg]


def test_a_changed_copy_leaves_the_part_as_it_was() -> None:
    """As pydantic's model_copy, deep or not."""
    first = warn(card="RTX 3090")
    assert first.model_copy(update={"code": "x"}) == Finding(code="x", gravity="warn", facts={"card": "RTX 3090"})
    assert first.code == ""
    assert first.model_copy(deep=True) == first
    assert first.model_copy(deep=True).facts is not first.facts
    with pytest.raises(ValidationError):
        first.code = "y"  # type: ignore[misc]
