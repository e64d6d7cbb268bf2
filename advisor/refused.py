"""What a card refuses however much memory it has: today's PyTorch, a trainer that wants a newer chip or one of another
maker, 4-bit weights. A verdict on memory is then only half an answer.

Source: facts/capabilities, facts/trainers; CUDA 12.0 release notes (Kepler is dropped).
"""

from typing import TYPE_CHECKING, NamedTuple

from advisor.stacks import FOUR_BIT
from knowledge.schemas import Gpu

if TYPE_CHECKING:
    from advisor.asked import Asked

MAXWELL = (5, 0)
"""Compute capability of the oldest chips that CUDA 12 knows."""
OTHERS = ("amd", "intel", "apple")
"""Makers whose cards not every trainer supports."""
NO = ("no", "not")
"""First words of what facts/capabilities does not support; what is only "no official" target may still run."""
MAY = ("no official", "not an official", "not official")
CUDA_ONLY = frozenset({"axolotl", "deepspeed", "nemo-automodel", "h2o-llm-studio", "fsdp-qlora"})
"""Trainers that do not use a Mac's chip, whatever of them installs there."""


class Refusal(NamedTuple):
    """`why`: chip (no PyTorch of today), old_for_trainer, maker (the trainer is not for that maker), four_bit."""

    why: str
    gpu: Gpu


def refusal(case: "Asked") -> Refusal | None:
    """Why the plan does not run on the asker's only kind of card; None where several kinds are named to choose from."""
    if len(case.gpus) != 1 or case.arm_board:
        return None
    gpu = case.gpus[0]
    if gpu.cuda_capability is not None and gpu.cuda_capability < MAXWELL:
        return Refusal("chip", gpu)
    if case.query.trainer == "unsloth" and refuses(gpu.supports.unsloth):
        return Refusal("old_for_trainer", gpu)
    if _not_for_maker(case, gpu):
        return Refusal("maker", gpu)
    if case.query.method in FOUR_BIT and not case.query.quant and refuses(gpu.supports.bitsandbytes_4bit):
        return Refusal("four_bit", gpu)
    return None


def four_bit_runs(case: "Asked") -> bool:
    """bitsandbytes has 4-bit kernels for the card, as far as it is known."""
    return case.gpu is None or not refuses(case.gpu.supports.bitsandbytes_4bit)


def refuses(said: str) -> bool:
    """Whether facts say that something is not supported at all."""
    words = said.lower()
    return words.split(" ", 1)[0].strip(",;:()") in NO and not words.startswith(MAY)


def _not_for_maker(case: "Asked", gpu: Gpu) -> bool:
    """The trainer that was named does not run on cards of this maker."""
    name = case.query.trainer
    trainer = case.catalog.trainers.get(name) if name else None
    if trainer is None or gpu.vendor not in OTHERS:
        return False
    return (gpu.vendor == "apple" and name in CUDA_ONLY) or refuses(str(getattr(trainer, gpu.vendor)))
