"""Numbers and counts as people write them."""

import pytest

from advisor.estimator.written import as_fields


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("seq_len", "8k", 8192),
        ("seq_len", "8,192", 8192),
        ("seq_len", "1.5k tokens", 1536),
        ("params_b", "8B", 8.0),
        ("params_b", "500M", 0.5),
        ("params_b", "1.5T", 1500.0),
        ("trainable_params", "20M", 20_000_000),
        ("micro_batch", "4", 4),
        ("weight_bits", "8-bit", 8.0),
        ("weight_bits", "nf4", 4.0),
        ("weight_bits", "int8", 8.0),
        ("weight_bits", "bf16", 16.0),
        ("seq_len", "many", "many"),
        ("lora_rank", "8k", "8k"),
    ],
)
def test_a_number_is_read_or_left_for_the_schema_to_refuse(field, text, value):
    assert as_fields({field: text})[field] == value


@pytest.mark.parametrize(
    ("stated", "gpu", "count"),
    [
        ({"gpu": "2x RTX 3090"}, "RTX 3090", 2),
        ({"gpu": "RTX 3090 x4"}, "RTX 3090", 4),
        ({"gpu": "8 × H100"}, "H100", 8),
        ({"gpu": "2x RTX 3090", "n_gpus": 1}, "RTX 3090", 1),
        ({"gpu": "RTX 4090"}, "RTX 4090", None),
        ({"gpus": [{"name": "RTX 4090", "count": 2, "vram_gb": 24}]}, "RTX 4090", 2),
        ({"gpus": [{"vram_gb": 24}]}, "24 GB", None),
        ({"gpus": "two"}, None, None),
    ],
)
def test_cards_and_their_number(stated, gpu, count):
    found = as_fields(stated)
    assert (found.get("gpu"), found.get("n_gpus")) == (gpu, count)
