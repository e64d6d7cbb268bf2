import subprocess
import sys

from tests.paths import ROOT

CODE = """
import sys
from bot.start import lean_imports
lean_imports()
import bot.app
from bot.store import Store
import asyncio
async def main():
    store = await Store.open("sqlite+aiosqlite://")
    await store.set_note("a", "b")
    await store.close()
asyncio.run(main())
print(*sorted({".".join(module.split(".")[:2]) for module in sys.modules}))
"""


def test_what_is_not_used_is_not_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    loaded = set(done.stdout.split())
    assert "sqlalchemy.engine" in loaded
    unused = {"sqlalchemy.orm", "rich", "rich.console", "pygments", "alembic", "huggingface_hub", "discord", "telegram"}
    assert not unused & loaded
