"""Hypothesis: the same examples at every run, so that a newcomer's first run is the gate's; no deadline, as no test
asserts a time. `--hypothesis-profile=search` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile("same")
