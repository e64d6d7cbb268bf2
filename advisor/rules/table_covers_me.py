"""Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card.

Source: LLaMA-Factory README ("estimated"), Unsloth requirements ("absolute minimum"); estimator.
"""

from advisor.advice import Finding, correct
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.errors import AdvisorError
from advisor.estimator.sharding import SHARDED
from advisor.query import Kind
from advisor.stacks import GIB, GOOD

FAR = 2
"""Times our estimate from which a table's figure is called wrong."""

TELLS = frozenset({"calculated", "less", "normal"})
"""Answers that set the claimed figure beside what a run takes."""

LONG = 16_384
"""Tokens from which a figure in a blog is a record."""

SHORT = 2048
"""Tokens of the recipes that split a 70B over 24 GB cards."""
HELD_AGAINST = frozenset({"speed_impossible", "too_fast", "too_slow"})
"""Judgements that set the figure against the estimate themselves."""
NOTHING = {"seen": None, "estimate": None, "offloads": None, "long": False, "ram": None, "tokens": None, "short": None}
ROWS = 512
"""Tokens of the rows that recipes are measured with (Alpaca, mostly shorter)."""
LARGER = 2
"""Times the RAM from which on the guide's model is another matter."""

ON = ("table_covers_me",)


def check(case: Case) -> Finding | None:
    """Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card."""
    if "table_covers_me" not in case.claims or case.query.kind is Kind.SYSTEM_RAM:
        return None
    if case.advice is not None and (case.advice.verdict.code in TELLS or case.advice.verdict.facts.get("mixed")):
        return None
    if case.advice is not None and case.advice.verdict.facts.get("judged") in HELD_AGAINST:
        return None  # the answer says it
    methods = case.advice is not None and case.advice.kind is Kind.METHOD_CHOICE
    if case.query.claimed_gib and case.sized and not methods:
        return None  # claimed_figure holds it against the estimate
    if (ram := _larger(case)) is not None:
        return correct(**NOTHING | {"ram": ram, "tokens": case.seq_len})
    if _offloads(case):
        way = "zero" if case.query.sharding == "zero3" else "fsdp"
        there = case.need(case.stacks[0], offload="params", sharding="fsdp").host_ram
        return correct(**NOTHING | {"offloads": way, "ram": there})
    seen = int((case.query.seen_gib or case.query.claimed_gib or 0) * GIB)
    if not seen and (short := _short(case)) is not None:
        return correct(**NOTHING | {"short": short, "tokens": case.seq_len})
    if not seen or not case.sized or case.full:
        return correct(**NOTHING | {"long": _long(case)})
    estimate = case.need(case.stacks[-1], method="lora", weight_bits=None, quant=None).device
    far = seen > FAR * estimate
    told = {"seen": seen if far else None, "estimate": estimate if far else None}
    return correct(**NOTHING | told | {"long": _long(case)})


def _short(case: Case) -> tuple[int, int] | None:
    """Bytes with rows as short as a recipe's and at the asker's length, where that is what differs."""
    stated = case.query.seq_len or 0
    if not case.sized or stated < FAR * SHORT or not case.symptoms & FAILURES or _long(case):
        return None
    return case.need(case.stacks[-1], seq_len=ROWS).device, case.need(case.stacks[-1]).device


def _larger(case: Case) -> int | None:
    """Bytes of RAM with which the guide's larger model runs split and offloaded, where a smaller one fails so."""
    if not case.sized or case.sharding not in SHARDED or not case.symptoms & FAILURES or len(case.alternatives) != 1:
        return None
    slots = case.alternatives[0][1]
    try:
        other = case.need(case.stacks[-1], **slots, offload="params", seq_len=SHORT)
        own = case.need(case.stacks[-1], offload="params", seq_len=SHORT)
    except AdvisorError:
        return None
    return other.host_ram if other.host_ram > LARGER * own.host_ram else None


def _long(case: Case) -> bool:
    """The figure is one of a record length."""
    return case.query.kind is Kind.CONTEXT_LENGTH and (case.query.seq_len or 0) >= LONG


def _offloads(case: Case) -> bool:
    """Split as the asker says it fits only with parameters in RAM, which nobody has switched on."""
    if case.usable is None or not case.sized or case.n_cards == 1 or case.query.offload not in (None, "none"):
        return False
    if not case.offload_is_sane or case.query.sharding not in SHARDED or case.lean.fit in GOOD:
        return False
    return case.need(case.stacks[0], offload="params").fit in GOOD
