"""Where things lie for the tests; `SHARED` exists only in the developers' workplace."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

needs_shared = pytest.mark.skipif(not (SHARED / "DESIGN.md").exists(), reason="needs the ../shared folder")
