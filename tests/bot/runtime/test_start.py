import subprocess
import sys

from tests.paths import ROOT

CODE = """
import sys
from bot.start import lean_imports
lean_imports()
import bot.app
from bot.store import Store
from bot import pipeline
import asyncio
async def main():
    pipeline.warm()
    store = await Store.open("sqlite+aiosqlite://")
    await store.set_note("a", "b")
    await store.close()
asyncio.run(main())
print(*sorted({".".join(module.split(".")[:3]) for module in sys.modules}))
"""


def test_what_is_not_used_is_not_loaded() -> None:
    for _ in range(2):  # the first one may have to compile the knowledge
        done = subprocess.run(
            [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
        )
    loaded = set(done.stdout.split())
    assert "sqlalchemy.engine" in loaded
    unused = {
        "rich",
        "rich.console",
        "pygments",
        "alembic",
        "huggingface_hub",
        "discord",
        "telegram",
        "rapidfuzz",
        "babel",
    }
    assert not (unused | {"sqlalchemy.orm", "sqlalchemy.dialects.postgresql", "asyncpg"}) & loaded
