"""Methods of full fine-tuning that train only a part of the weights at a time.

LISA: arXiv:2403.17919 (embedding, head and two layers); BAdam: arXiv:2404.02827 (one block, kept in fp32 as well);
LLaMA-Pro: arXiv:2401.02415 (new layers, four in ms-swift 4.6); freeze: LLaMA-Factory 0.9.5 (the last two layers).
"""

from dataclasses import replace

from advisor.estimator.shape import Shape

LAYERS = {"lisa": 2, "badam": 1, "freeze": 2, "llamapro": 4, "llama-pro": 4}
"""Layers with gradients and optimizer states at one time."""
ENDS = ("lisa",)
"""Methods that train embedding and head throughout."""
GROWS = ("llamapro", "llama-pro")
"""Methods whose trained layers are added to the model."""
OPTIMIZERS = {"lomo": "lomo", "adalomo": "adalomo", "galore": "galore", "apollo": "apollo", "badam": "badam"}
"""Methods that are optimizers by nature, where no optimizer is named."""
IN_BACKWARD = ("lomo", "adalomo")
"""Optimizers that update a weight as soon as its gradient is there (arXiv:2306.09782)."""


def grown(shape: Shape, variant: str) -> Shape:
    """The model with the layers that the method adds."""
    if variant not in GROWS:
        return shape
    layers = shape.layers + LAYERS[variant]
    return replace(
        shape,
        layers=layers,
        linear_params=shape.linear_params * layers // shape.layers,
        expert_params=shape.expert_params * layers // shape.layers,
    )


def part_of(shape: Shape, variant: str, stated: int | None) -> int:
    """Parameters that are trained at one time; 0: all of them. A stated number wins."""
    if stated and stated < 0.9 * shape.text_params:
        return stated
    if variant not in LAYERS:
        return 0
    ends = shape.embedding_params + shape.head_params if variant in ENDS else 0
    return min(LAYERS[variant], shape.layers) * shape.linear_params // shape.layers + ends
