"""Machines with much shared memory have little bandwidth: they hold large models and train them slowly.

Source: facts/gpus: bandwidth_gb_s.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.paced import EXAMPLES, hours_of_examples
from advisor.stacks import short_name
from advisor.topics.time_estimate.jobs import TOKENS_EACH

REFERENCE = "rtx-3090"

ON = ("unified_card",)


def check(case: Case) -> Finding | None:
    """Machines with much shared memory have little bandwidth: they hold large models and train them slowly."""
    slow = next((gpu for gpu in case.gpus if gpu.unified_memory and gpu.vendor != "apple"), None)
    if slow is None:
        return None
    reference = case.catalog.gpus[REFERENCE]
    return warn(
        card=short_name(slow),
        bandwidth=slow.bandwidth_gb_s,
        reference=short_name(reference),
        reference_bandwidth=reference.bandwidth_gb_s,
        hours=hours_of_examples(case, slow),
        examples=EXAMPLES,
        each=TOKENS_EACH,
    )
