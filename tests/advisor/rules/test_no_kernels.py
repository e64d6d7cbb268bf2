"""The rule no_kernels."""

from advisor.rules import no_kernels
from tests.advisor.rules.ask import cards, case

QLORA = {"params_b": 7.0, "method": "qlora", "kind": "fits_check", "symptoms": ("no_kernels",)}


def test_an_amd_chip_that_the_wheel_lacks() -> None:
    found = no_kernels.check(case(**QLORA, gpus=cards("rx-9070-xt")))
    assert found is not None
    assert (found.facts["chip"], found.facts["lora_fit"]) == ("gfx1201", "tight")


def test_an_old_nvidia_chip() -> None:
    found = no_kernels.check(case(**QLORA, gpus=cards("gtx-1080-ti")))
    assert found is not None
    assert found.facts["maker"] == "nvidia"


def test_silent_on_a_new_card_and_without_the_error() -> None:
    assert no_kernels.check(case(**QLORA, gpus=cards("rtx-5090"))) is None
    assert no_kernels.check(case(**QLORA | {"symptoms": ()}, gpus=cards("rx-9070-xt"))) is None


def test_16_bit_that_fills_the_card_is_called_tight() -> None:
    """7B in 16 bit takes 14.7 of 15.8 GiB on an RX 9070 XT, 3B far less."""
    asked = {"kind": "fits_check", "gpus": cards("rx-9070-xt"), "symptoms": ("no_kernels",), "method": "qlora"}
    large, small = (no_kernels.check(case(**asked, params_b=size)) for size in (7.0, 3.0))
    assert large is not None
    assert small is not None
    assert (large.facts["lora_fit"], small.facts["lora_fit"]) == ("tight", "yes")
