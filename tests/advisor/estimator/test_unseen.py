"""The closed form on runs that no term was fitted to.

`unseen.jsonl`: runs of `oracle.py` with shapes and settings drawn at random (ids in x: after all terms stood): one key
head, heads wider than the hidden width, small and very large vocabularies, fused qkv, norms of heads; every kind of
attention, loss and optimizer; from 64 to 65,536 tokens; twenty architectures. Where a term was wrong on one of them,
the term was derived anew, not fitted.
"""

import json
from pathlib import Path
from statistics import mean

import pytest

from advisor.estimator.moments import moments
from advisor.estimator.optimizer import trained
from tests.advisor.estimator.test_oracle import error, plan_of

ROWS = [json.loads(line) for line in (Path(__file__).parent / "unseen.jsonl").read_text(encoding="utf-8").splitlines()]


def name(row):
    return f"{row['id']}-{row['model']}-{row['method']}-{row['attention']}"


def test_the_error_is_small_on_the_whole():
    assert mean(abs(error(row)) for row in ROWS) < 0.1


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_no_run_is_far_off(row):
    assert abs(error(row)) < 0.5


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_what_is_trained_is_counted_to_the_last_parameter(row):
    assert trained(plan_of(row)).elements == row["trainable_params"]


@pytest.mark.parametrize("phase", ["loss_backward", "optimizer"])
@pytest.mark.parametrize("row", ROWS, ids=name)
def test_each_moment_is_right_by_itself(row, phase):
    estimated = sum(moments(plan_of(row))[phase].values())
    assert abs(estimated - row["phase_peaks"][phase]) < 0.003 * row["peak_bytes"]
