"""The rule no_gpu_trains."""

from advisor.rules import no_gpu_trains
from advisor.stacks import GIB
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = no_gpu_trains.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", symptoms=("no_gpu_found",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert no_gpu_trains.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check")) is None


def test_little_ram_is_named_where_it_ran_out() -> None:
    found = no_gpu_trains.check(case(kind="fits_check", ram_gb=8.0, symptoms=("no_gpu_found", "oom_step")))
    assert found is not None
    assert found.facts["ram_gb"] == 8.0
    assert found.facts["weights"] > 8 * GIB
    calm = no_gpu_trains.check(case(kind="fits_check", ram_gb=8.0, symptoms=("no_gpu_found",)))
    assert calm is not None
    assert calm.facts["ram_gb"] is None


def test_silent_where_a_card_is_to_be_bought() -> None:
    assert no_gpu_trains.check(case(params_b=8.0, kind="which_gpu", symptoms=("no_gpu_found",))) is None


def test_own_data_are_reckoned_on_the_cpu_and_on_a_rented_card() -> None:
    told = {"params_b": 7.0, "kind": "fits_check", "dataset_examples": 2000, "tokens_per_example": 300}
    found = no_gpu_trains.check(case(symptoms=("no_gpu_found",), **told))
    assert found is not None
    own = found.facts["own"]
    assert own["tokens"] == 600_000
    assert own["patient"]
    assert own["hours"][1] < own["cpu"][0]
    many = no_gpu_trains.check(case(symptoms=("no_gpu_found",), **(told | {"dataset_examples": 50_000})))
    assert many is not None
    assert not many.facts["own"]["patient"]


def test_who_asks_whether_to_buy_hears_that_one_may_rent() -> None:
    asked = case(params_b=8.0, kind="which_gpu", symptoms=("no_gpu_found", "asks_must_buy"))
    found = no_gpu_trains.check(asked)
    assert found is not None
    assert found.facts["must"]
    assert found.facts["own"] is None
