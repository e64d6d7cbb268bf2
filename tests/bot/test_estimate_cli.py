"""Lines of JSON in, one object a line out: answers, errors, what was ignored, what is unknown."""

import json

import pytest

from bot.estimate_cli import estimate_batch, estimate_line
from bot.measured import rows, verdicts
from knowledge.catalog import load_catalog

GOOD = {"id": "a", "model": "meta-llama/Llama-3.1-8B", "method": "qlora", "trainer": "unsloth", "seq_len": 2048}
KEYS = {"allocated_gib", "reserved_gib", "device_gib", "low_gib", "high_gib", "components", "host_ram_gib", "assumed"}


def answers(*lines):
    return list(estimate_batch([line if isinstance(line, str) else json.dumps(line) for line in lines]))


def test_a_set_up_is_answered_with_its_id_and_every_key():
    (found,) = answers(GOOD)
    assert found["id"] == "a"
    assert found.keys() >= KEYS | {"tokens_per_s"}
    assert found["allocated_gib"] <= found["reserved_gib"] <= found["device_gib"]
    assert sum(found["components"].values()) == pytest.approx(found["allocated_gib"], abs=0.01)


def test_a_broken_line_is_reported_with_its_number_and_the_others_are_answered():
    found = answers(GOOD, "{nonsense", "", "[1]", GOOD | {"id": "b"})
    assert [answer["id"] for answer in found] == ["a", None, None, "b"]
    assert found[1]["line"] == 2
    assert found[2]["line"] == 4
    assert found[1]["error"]["code"] == "not_json"
    assert found[1]["error"]["fix"]


def test_null_means_not_stated_and_unknown_keys_are_listed():
    found = estimate_line(GOOD | {"lora_rank": None, "colour": "red", "note": None})
    assert "lora_rank" in found["assumed"]
    assert found["ignored"] == ["colour"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seq_len": -1}, "bad_value"),
        ({"seq_len": 10**9}, "bad_value"),
        ({"seq_len": "many"}, "bad_value"),
        ({"seq_len": [1]}, "bad_value"),
        ({"lora_rank": 100_000}, "bad_value"),
        ({"arch": "llama"}, "bad_value"),
        ({"arch": {"hidden_size": 64, "layers": 0, "heads": 4, "vocab_size": 9}}, "bad_value"),
        ({"optimizer": "turbo"}, "unknown_name"),
        ({"model": "nobody/nothing"}, "unknown_name"),
        ({"model": None}, "missing_model"),
    ],
)
def test_what_cannot_be_is_an_error_with_a_way_out(change, code):
    found = estimate_line(GOOD | change)
    assert found["error"]["code"] == code
    assert found["error"]["message"]
    assert found["error"]["fix"]


def test_an_unknown_trainer_is_named_with_the_nearest_known():
    found = estimate_line(GOOD | {"trainer": "unsloht"})
    assert found["unknown"]["trainer"]["asked"] == "unsloht"
    assert "unsloth" in found["unknown"]["trainer"]["nearest"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, "\ud800", {"a": []}, True])
def test_odd_values_never_raise(value):
    for field in ("seq_len", "model", "params_b", "lora_targets", "arch", "gpu", "trainable_params"):
        assert estimate_line(GOOD | {field: value})


def test_reports_of_fitting_and_failing_are_judged_right():
    found = verdicts(load_catalog())
    assert found["fits"][0] / found["fits"][1] >= 0.95
    assert found["oom"][0] / found["oom"][1] >= 0.9


def test_the_copy_of_the_measurements_names_its_sources():
    for name in ("memory.jsonl", "fits.jsonl"):
        found = rows(name)
        assert found
        assert all(row["source"] and row["id"] for row in found)


OFFLOADED = {
    "params_b": 33,
    "method": "full",
    "sharding": "zero3",
    "offload": "params",
    "gpu": "A100 40GB",
    "n_gpus": 8,
}


@pytest.mark.parametrize(
    ("changes", "fit", "limited_by"),
    [
        ({"ram_gb": 400}, "no", "host_ram"),
        ({"ram_gb": 600}, "unlikely", "host_ram"),  # a lean set-up may get by with it
        ({"ram_gb": 1024}, "yes", None),
        ({"params_b": 70}, "tight", "host_ram"),
        ({"params_b": 70, "ram_gb": 2048}, "yes", None),
        ({"params_b": 7, "gpu": "RTX 4090", "n_gpus": 2}, "tight", "host_ram"),
        ({"offload": "none"}, "no", "vram"),
        ({"offload": "none", "gpu": "B200"}, "yes", None),
        ({"gpu": None}, None, None),
    ],
)
def test_what_a_run_needs_of_ram_is_part_of_whether_it_fits(changes, fit, limited_by):
    found = estimate_line(OFFLOADED | changes)
    assert (found["fit"], found["limited_by"]) == (fit, limited_by)
    assert ("ram_gb" in found["assumed"]) == ("ram_gb" not in changes and found["ram_gb"] is not None)
    assert "ignored" not in found


def test_the_memory_of_a_card_tells_which_one_it_is():
    small, large = (
        estimate_line(GOOD | {"gpu": "A100", "vram_gb": gb, "params_b": 70, "model": None}) for gb in (40, 80)
    )
    assert (small["fit"], large["fit"]) == ("unlikely", "yes")
