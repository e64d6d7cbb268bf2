"""Training the last layers in full costs less than all of them, and more than a LoRA on all.

Source: 16 bytes a trained parameter with AdamW: ZeRO, arXiv:1910.02054, sec. 3, two of which (the weight in 16 bit) are
counted with the model; what lies below the lowest trained layer needs no gradients and keeps no activations (autograd).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("method", "named")
MODE = "freeze"
DEFAULT_LAYERS = ("last", "2")
"""LLaMA-Factory's `freeze_trainable_layers` (hparams/finetuning_args.py, 0.9.5)."""
LEAN, USUAL = 10, 14
"""Bytes of a trained parameter beside the weight in 16 bit: 8-bit AdamW with an fp32 copy, and AdamW in fp32."""
HALF = 2
SAID = 2


def check(case: Case) -> Finding | None:
    """What the layers that are trained take, beside a LoRA."""
    mode = case.query.method == MODE
    told = case.query.named.get("frozen", ())
    said = told or (DEFAULT_LAYERS if mode else ())
    if len(said) != SAID or not case.sized or not case.params:
        return None
    shape = case.plan(case.stacks[-1]).shape
    many = shape.layers - int(said[1]) if said[0] == "first" else int(said[1])
    if not 0 < many < shape.layers:
        return None
    head = shape.vocab * shape.hidden if "trains_embeddings" in case.symptoms else 0
    trained = round((shape.linear_params + shape.small_params) * many / shape.layers) + head
    weights = HALF * case.params
    each = round(trained / many)
    return stop(
        mode=mode,
        beside=not mode,
        default=not told,
        each=(LEAN * each, USUAL * each),
        usable=case.usable,
        qlora=case.need(case.stacks[-1], method="qlora", weight_bits=None, trainable_params=None).device,
        layers=many,
        of=shape.layers,
        head=bool(head),
        trained=trained,
        weights=weights,
        low=weights + LEAN * trained,
        high=weights + USUAL * trained,
        lora=case.need(case.stacks[-1], method="lora", weight_bits=None, trainable_params=None).device,
    )
