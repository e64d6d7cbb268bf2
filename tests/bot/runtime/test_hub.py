import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from advisor.estimator import resolve
from advisor.query import SetUp
from bot import hub as hub_module
from bot.hub import Hub
from bot.hub_config import arch_of, full_precision_params
from bot.store import Store
from knowledge.catalog import load_catalog

QWEN3_30B_A3B = {
    "model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 32,
    "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144, "vocab_size": 151936,
    "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8, "tie_word_embeddings": False,
    "max_position_embeddings": 40960, "use_sliding_window": False, "sliding_window": None,
}  # fmt: skip
GEMMA3_4B = {
    "model_type": "gemma3",
    "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "num_attention_heads": 8,
                    "num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 10240,
                    "vocab_size": 262208, "sliding_window": 1024},
    "vision_config": {"hidden_size": 1152},
}  # fmt: skip
LLAMA2_7B = {
    "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "intermediate_size": 11008, "vocab_size": 32000, "max_position_embeddings": 4096, "tie_word_embeddings": False,
}  # fmt: skip


class FakeHub:
    """Answers what the test says, and counts."""

    def __init__(self) -> None:
        self.asked = Counter[str]()
        self.config: Any = QWEN3_30B_A3B
        self.status = 200
        self.wait = 0.0

    async def resolve(self, request: web.Request) -> web.StreamResponse:
        self.asked[request.match_info["model"]] += 1
        await asyncio.sleep(self.wait)
        body = self.config if isinstance(self.config, bytes) else json.dumps(self.config).encode()
        return web.Response(status=self.status, body=body)

    async def about(self, request: web.Request) -> web.Response:
        return web.json_response({"safetensors": {"parameters": {"BF16": 30_532_122_624}, "total": 30_532_122_624}})


@pytest_asyncio.fixture
async def fake() -> AsyncIterator[tuple[FakeHub, str]]:
    hub = FakeHub()
    server = web.Application()
    server.router.add_get("/{org}/{model}/resolve/main/config.json", hub.resolve)
    server.router.add_get("/api/models/{org}/{model}", hub.about)
    runner = web.AppRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield hub, f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest.mark.parametrize(
    ("config", "billions"),
    [(QWEN3_30B_A3B, 30.53), (GEMMA3_4B, 3.88), (LLAMA2_7B, 6.74)],
    ids=["moe", "multimodal", "plain"],
)
def test_the_shape_has_the_published_size(config: dict[str, Any], billions: float) -> None:
    arch = arch_of(config)
    assert arch is not None
    plan = resolve(SetUp(arch=arch, method="qlora"), load_catalog())
    assert plan.shape.text_params / 1e9 == pytest.approx(billions, abs=0.01)


@pytest.mark.parametrize(
    "config",
    [
        {}, {"is_encoder_decoder": True, **LLAMA2_7B}, {**LLAMA2_7B, "hidden_size": "4096"},
        {**LLAMA2_7B, "hidden_size": 10**30},
        {**LLAMA2_7B, "num_hidden_layers": -1}, {**LLAMA2_7B, "num_attention_heads": True}, {"text_config": [1]},
    ],
)  # fmt: skip
def test_nonsense_is_no_shape(config: dict[str, Any]) -> None:
    assert arch_of(config) is None


def test_packed_uploads_are_not_counted() -> None:
    assert full_precision_params({"safetensors": {"parameters": {"I32": 5, "F16": 5}, "total": 10}}) is None
    assert full_precision_params({"safetensors": {"parameters": {"BF16": 10}, "total": 10}}) == 10


async def test_a_look_up_is_kept(sqlite_store: Store, fake: tuple[FakeHub, str]) -> None:
    hub, url = fake
    asking = Hub(sqlite_store, url)
    first, second = await asyncio.gather(asking.shape("Org/Model"), asking.shape("org/model"))
    assert first == second
    assert first is not None
    assert first["params_total"] == 30_532_122_624
    assert await Hub(sqlite_store, url).shape("ORG/model") == first
    assert hub.asked.total() == 1


@pytest.mark.parametrize("status", [401, 403, 404])
async def test_what_we_may_not_see_is_none_and_not_asked_again(
    sqlite_store: Store, fake: tuple[FakeHub, str], status: int
) -> None:
    hub, url = fake
    hub.status = status
    asking = Hub(sqlite_store, url)
    assert await asking.shape("org/gated") is None
    assert await asking.shape("org/gated") is None
    assert hub.asked.total() == 1


@pytest.mark.parametrize("body", [b"", b"[1]", b"{" * 10_000, b'{"a": "' + b"x" * (2 << 20) + b'"}', b"[" * 200_000])
async def test_a_body_that_is_no_config(sqlite_store: Store, fake: tuple[FakeHub, str], body: bytes) -> None:
    hub, url = fake
    hub.config = body
    assert await Hub(sqlite_store, url).shape("org/model") is None


async def test_after_failures_the_hub_is_left_alone(sqlite_store: Store, fake: tuple[FakeHub, str]) -> None:
    hub, url = fake
    hub.status = 503
    asking = Hub(sqlite_store, url)
    for number in range(6):
        assert await asking.shape(f"org/model{number}") is None
    assert hub.asked.total() == hub_module.FAILURES


async def test_a_slow_hub_is_not_waited_for(
    sqlite_store: Store, fake: tuple[FakeHub, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, url = fake
    hub.wait = 30
    monkeypatch.setattr(hub_module, "SECONDS", 0.1)
    async with asyncio.timeout(5):
        assert await Hub(sqlite_store, url).shape("org/model") is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "model",
        "a/b/c",
        "../../etc/passwd",
        "org/..",
        "org/mo del",
        "http://evil/x",
        "org/x?y=1",
        "örg/model",
        "a" * 99 + "/b",
        "org/x\n",
    ],
)
async def test_only_ids_of_the_right_form_are_asked_for(
    sqlite_store: Store, fake: tuple[FakeHub, str], name: str
) -> None:
    hub, url = fake
    assert await Hub(sqlite_store, url).shape(name) is None
    assert not hub.asked
