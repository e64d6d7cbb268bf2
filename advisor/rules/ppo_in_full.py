"""PPO with all weights trains the policy and the value model and holds a reference and a reward model beside them.

Source: TRL, examples/scripts/ppo/ppo.py (the four models); ZeRO, arXiv:1910.02054, sec. 3.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import PPO_MODELS, STATES

ON = ("algorithm",)
TRAINED = 2
"""Policy and value model."""
ROOM = 0.75
"""Share of all cards that states may take, so that steps and generating have the rest."""
KINDS = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.METHOD_CHOICE, Kind.MULTI_GPU})


def check(case: Case) -> Finding | None:
    """Say what all four take, where every weight is to be trained."""
    query = case.query
    if query.algorithm != "ppo" or not case.params or query.kind not in KINDS:
        return None
    if not case.full and "full" not in query.named.get("method", ()):
        return None
    states = TRAINED * STATES * case.params
    taken = states + (PPO_MODELS - TRAINED) * 2 * case.params
    room = case.n_cards * case.usable if case.usable is not None else None
    speak = stop if case.full else warn
    return speak(
        taken=taken,
        states=states,
        room=room,
        count=case.n_cards,
        fits=room is not None and taken < ROOM * room,
        model=case.model_name,
        policy=case.usable is None,
    )
