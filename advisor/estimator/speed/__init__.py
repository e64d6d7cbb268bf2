"""How fast a set-up trains: the work of a step (work), the rates of a card (machine), their quotient (rate)."""

from advisor.estimator.speed.cards import Cards, gpu_of
from advisor.estimator.speed.coefficients import Coefficients, coefficients_of, known_coefficients
from advisor.estimator.speed.machine import sustained_tflops
from advisor.estimator.speed.rate import Range, hours, job_hours, job_tokens, rate_at, seconds_of, tokens_per_second

__all__ = [
    "Cards",
    "Coefficients",
    "Range",
    "coefficients_of",
    "gpu_of",
    "hours",
    "job_hours",
    "job_tokens",
    "known_coefficients",
    "rate_at",
    "seconds_of",
    "sustained_tflops",
    "tokens_per_second",
]
