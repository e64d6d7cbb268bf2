"""Training the last layers in full costs less than all of them, and more than a LoRA on all.

Source: 16 bytes a trained parameter with AdamW: ZeRO, arXiv:1910.02054, sec. 3, two of which (the weight in 16 bit) are
counted with the model; what lies below the lowest trained layer needs no gradients and keeps no activations (autograd).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("named",)
LEAN, USUAL = 10, 14
"""Bytes of a trained parameter beside the weight in 16 bit: 8-bit AdamW with an fp32 copy, and AdamW in fp32."""
HALF = 2
SAID = 2


def check(case: Case) -> Finding | None:
    """What the layers that are trained take, beside a LoRA."""
    said = case.query.named.get("frozen", ())
    if len(said) != SAID or not case.sized or not case.params:
        return None
    shape = case.plan(case.stacks[-1]).shape
    many = shape.layers - int(said[1]) if said[0] == "first" else int(said[1])
    if not 0 < many < shape.layers:
        return None
    head = shape.vocab * shape.hidden if "trains_embeddings" in case.symptoms else 0
    trained = round((shape.linear_params + shape.small_params) * many / shape.layers) + head
    weights = HALF * case.params
    return stop(
        layers=many,
        of=shape.layers,
        head=bool(head),
        trained=trained,
        weights=weights,
        low=weights + LEAN * trained,
        high=weights + USUAL * trained,
        lora=case.need(case.stacks[-1], method="lora", weight_bits=None, trainable_params=None).device,
    )
