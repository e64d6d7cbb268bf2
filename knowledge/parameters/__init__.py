"""Parameters counted from the shape: one small function per layer plan, checked against the published counts.

Buffers (rotary tables, masks) are not counted; neither are multi-token-prediction heads, which training stacks drop.
Source: the layer definitions of transformers 5.24.0; the counts of all catalogued models agree with the published ones.
"""

from collections.abc import Callable, Mapping

from knowledge.parameters import decoders, hybrids
from knowledge.parameters.count import MoeLike, Parameters, ShapeLike
from knowledge.parameters.vision import tower_parameters

__all__ = ["PLANS", "MoeLike", "Parameters", "ShapeLike", "parameters"]

PLANS: Mapping[str, Callable[[ShapeLike], Parameters]] = {
    "llama": decoders.llama,
    "moe": decoders.moe,
    "llama4": decoders.llama4,
    "parallel": decoders.parallel,
    "neox": decoders.neox,
    "gpt2": decoders.gpt2,
    "gptneo": decoders.gptneo,
    "gptj": decoders.gptj,
    "bloom": decoders.bloom,
    "opt": decoders.opt,
    "falcon": decoders.falcon,
    "t5": decoders.t5,
    "bert": decoders.bert,
    "nas": decoders.nas,
    "granite_h": hybrids.granite_h,
    "falcon_h1": hybrids.falcon_h1,
    "nemotron_h": hybrids.nemotron_h,
    "lfm2": hybrids.lfm2,
    "jamba": hybrids.jamba,
    "gemma3n": hybrids.gemma3n,
    "gemma4": hybrids.gemma4,
}
"""Layer plans by the `arch` of a shape."""


def parameters(shape: ShapeLike) -> Parameters:
    """Count a model. Raises ValueError, with what is wrong, for an unknown `arch` or a missing detail."""
    count = PLANS.get(shape.arch)
    if count is None:
        raise ValueError(f"arch: no layer plan {shape.arch!r}; known: {', '.join(sorted(PLANS))}")
    try:
        tower = tower_parameters(shape.arch_args.get("vision"), shape.hidden_size)
        return count(shape) + Parameters(vision=tower)
    except KeyError as missing:
        raise ValueError(f"arch_args: {missing.args[0]!r} is missing for arch {shape.arch!r}") from None
    except (TypeError, AttributeError) as error:
        raise ValueError(f"arch_args: a detail of arch {shape.arch!r} has the wrong kind of value ({error})") from None
