"""A part that is made without checks is the part that is made with them."""

from advisor.advice import Mark, Need
from advisor.case import Case
from advisor.made import made
from advisor.query import Query, SetUp
from advisor.stacks import UNSTATED
from knowledge.catalog import load_catalog


def test_it_is_equal_to_a_checked_one_and_written_the_same() -> None:
    slots = {"model": "meta-llama/Llama-2-13b-hf", "method": "qlora", "seq_len": 4096}
    quick, checked = made(SetUp, UNSTATED | slots), SetUp(**(UNSTATED | slots))
    assert quick == checked
    assert quick.model_dump_json() == checked.model_dump_json()
    changed = quick.model_copy(update={"seq_len": 8192})
    assert (changed.seq_len, quick.seq_len) == (8192, 4096)


def test_unstated_slots_are_all_of_them_in_order() -> None:
    assert tuple(UNSTATED) == tuple(SetUp.model_fields)
    assert SetUp(**UNSTATED) == SetUp()


def test_a_need_names_every_field_in_order() -> None:
    case = Case(
        Query(params_b=13.0, method="qlora", sources={"params_b": "stated", "method": "stated"}), load_catalog()
    )
    need = case.need(case.stacks[0], (16, 24))
    assert tuple(vars(need)) == tuple(Need.model_fields)
    assert Need(**vars(need)) == need
    assert all(isinstance(mark, Mark) for mark in need.marks)
