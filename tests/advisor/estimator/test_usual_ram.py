"""The RAM that a machine usually has: from the machines that carry the card, or from those that people own."""

import pytest

from advisor.estimator.usual_ram import GIB, too_little, usual_ram_bytes
from knowledge.catalog import load_catalog

CATALOG = load_catalog()


def usual(gpu: str, count: int = 1) -> float | None:
    found = usual_ram_bytes(CATALOG.gpus[gpu], count, CATALOG)
    return None if found is None else found / GIB


@pytest.mark.parametrize(
    ("gpu", "count", "ram_gb"),
    [
        ("h100-sxm", 8, 1872),  # five machines of five providers, 1,800 to 2,048
        ("a100-40gb-sxm", 2, 170),  # the one machine with two of them
        ("h200-sxm", 1, 256),  # none with one: an eighth of the middle of those with eight
        ("rtx-3090", 2, 64),
        ("rtx-4090-laptop", 1, 16),
        ("rtx-6000-ada", 1, 100),  # in no machine of ours: as workstation cards have it
    ],
)
def test_usual_ram_is_that_of_the_machines_with_such_cards(gpu: str, count: int, ram_gb: float) -> None:
    assert usual(gpu, count) == pytest.approx(ram_gb)


def test_a_card_that_shares_the_ram_has_none_beside_it() -> None:
    assert all(usual(gpu.id) is None for gpu in CATALOG.gpus.values() if gpu.unified_memory)


def test_every_other_card_has_a_machine_and_two_have_no_less() -> None:
    for gpu in CATALOG.gpus.values():
        if not gpu.unified_memory:
            one, two = usual(gpu.id) or 0, usual(gpu.id, 2) or 0
            assert 8 <= one <= 1024, gpu.id
            assert two >= 0.9 * one or gpu.id == "t4", gpu.id  # Kaggle has two T4 beside 30 GB


def test_a_usual_amount_leaves_some_free_and_a_stated_one_is_taken_at_its_word() -> None:
    assert too_little(95, 100, stated=False)
    assert not too_little(95, 100, stated=True)
    assert too_little(101, 100, stated=True)
    assert not too_little(10**15, None, stated=False)
