"""What the advisor found out: verdicts, bytes, ranked options, findings by code. Never a sentence, never a rounded
number.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from advisor.made import Ours
from advisor.query import Kind, Query

Fit = Literal["yes", "tight", "unlikely", "no"]
"""yes: device figure within 95 % of what the card gives; tight: within 100 %; unlikely: only the low end fits; no:
not even that.
"""

Gravity = Literal["stop", "correct", "warn", "note"]
GRAVITIES: Mapping[str, int] = {"stop": 0, "correct": 1, "warn": 2, "note": 3}
"""stop: the plan cannot work; correct: the text shows a belief that is wrong; warn: a pitfall of this case; note:
good to know.
"""


class Part(Ours):
    """Base of all parts."""


class Finding(Part):
    """What a rule has to say. `code` is the rule's file name, filled in by the advisor; `facts` are what its
    template needs.
    """

    code: str = ""
    gravity: Gravity
    facts: Mapping[str, Any] = Field(default_factory=dict)


def stop(**facts: Any) -> Finding:
    """The plan cannot work as it stands."""
    return Finding(gravity="stop", facts=facts)


def correct(**facts: Any) -> Finding:
    """The question rests on a belief that is wrong."""
    return Finding(gravity="correct", facts=facts)


def warn(**facts: Any) -> Finding:
    """A pitfall of this very case."""
    return Finding(gravity="warn", facts=facts)


def note(**facts: Any) -> Finding:
    """Good to know here; the first to go when there is no room."""
    return Finding(gravity="note", facts=facts)


class Verdict(Part):
    """The answer in one code, with the facts that its sentence needs."""

    code: str
    facts: Mapping[str, Any] = Field(default_factory=dict)


class Setup(Part):
    """The training set-up that the numbers assume; `assumed` names the slots that nobody stated."""

    model: str
    """Name to show: the catalog's, or the size as "13B" (`generic` is then true)."""
    model_id: str | None = None
    generic: bool = False
    """Only a size was named: `model_id`, where set, is the model whose shape stands in."""
    params: int
    params_active: int | None = None
    vocab: int
    hidden: int
    layers: int
    method: str
    weight_bits: float
    seq_len: int
    at_limit: bool = False
    """The assumed length is what the model was made for, and shorter than our usual one."""
    experts_16_bit: tuple[str, ...] = ()
    """Stacks of a QLoRA set-up that leave the experts in 16 bit: bitsandbytes quantises nn.Linear only."""
    experts_4_bit: tuple[str, ...] = ()
    """Stacks beside those that do quantise them."""
    micro_batch: int
    lora_rank: int | None = None
    lora_targets: str | tuple[str, ...] | None = None
    optimizer: str | None = None
    algorithm: str | None = None
    grad_checkpointing: bool = True
    n_gpus: int = 1
    sharding: str = "none"
    offload: str = "none"
    assumed: tuple[str, ...] = ()


class Mark(Part):
    """How a need stands to one card size (GB on the box) or one card."""

    vram_gb: float
    fit: Fit


class Need(Part):
    """Memory per card of one stack (a trainer with its settings), in bytes.

    `device` is what nvidia-smi will show, `low`..`high` its 90 % interval (context and libraries included).
    """

    stack: str
    trainer: str
    device: int
    low: int
    high: int
    allocated: int
    reserved: int
    host_ram: int = 0
    components: Mapping[str, int] = Field(default_factory=dict)
    moment: str = ""
    tokens_per_s: float | None = None
    tokens_per_s_low: float | None = None
    tokens_per_s_high: float | None = None
    marks: tuple[Mark, ...] = ()
    fit: Fit | None = None
    """On the asker's card, where there is one."""


class PriceTag(Part):
    """A price as found: always with its date and source."""

    kind: str
    low: float
    high: float
    currency: str
    per_hour: bool = False
    date: str
    source: str
    provider: str = ""


class CardOption(Part):
    """A card, or several of a kind, that could be bought or rented for this."""

    gpu: str
    name: str
    count: int = 1
    vram_gb: float
    usable: int
    """Bytes per card that CUDA can hand out."""
    fit: Fit
    room: int = 0
    """Bytes left per card at the lean stack; negative when it does not fit."""
    offload: bool = False
    """Fits only with parameters in system RAM."""
    ram: int = 0
    """Bytes of that RAM."""
    role: str = ""
    """Code of why it is listed: the rank's pick, workstation, buy or rent."""
    claim: str = ""
    """The seed's claim behind the rank, such as S21."""
    price: PriceTag | None = None
    within_budget: bool | None = None


class Rung(Part):
    """One step of a ladder: a length (or batch, or size) with the need of every stack."""

    value: int
    needs: tuple[int, ...]
    """Device bytes per stack, in the order of Advice.needs."""
    fits: tuple[Fit, ...] = ()
    smallest_gb: tuple[int | None, ...] = ()
    """The smallest card size (GB on the box) that holds it, per stack."""


class Change(Part):
    """One thing to change: the slot, its new value, what it saves in bytes and where the need stands afterwards."""

    slot: str
    value: str
    saves: int
    after: int
    fit: Fit | None = None
    ram: int | None = None
    """System RAM that what is offloaded takes, bytes."""


class Advice(Part):
    """Everything that an answer may say. `findings` holds at most three, the gravest first."""

    kind: Kind
    query: Query = Field(exclude=True)
    verdict: Verdict
    setup: Setup | None = None
    needs: tuple[Need, ...] = ()
    tiers: tuple[int, ...] = ()
    """Card sizes in GB on the box that the needs' marks are about."""
    options: tuple[CardOption, ...] = ()
    rungs: tuple[Rung, ...] = ()
    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()
    facts: Mapping[str, Any] = Field(default_factory=dict)
    """What a button's depth adds (advisor/depth.py); the facts of the answer itself are the verdict's."""
    asks: str | None = None
    """The one slot whose value would decide the answer."""
    offers: tuple[str, ...] = ()
    """Change codes worth a button, such as "seq_len=8192", "method=lora", "show=why"."""
