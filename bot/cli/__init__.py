"""What the commands of `whichgpu` do: ask, batch, chat."""

import gc


def settle() -> None:
    """After loading: what is loaded stays, out of the collector's way, and it collects what comes from now on."""
    gc.freeze()
    gc.enable()
