"""What Prometheus may read at /metrics: counts and durations, never a name or a word of anybody."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
"""Memory, CPU time and open files of the process."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

QUESTIONS = Counter(
    "whichgpu_questions", "Questions by platform, kind and outcome.", ("platform", "kind", "outcome"), registry=REGISTRY
)
"""outcome: answered, silent, limited, refused, late, failed."""
LATENCY = Histogram(
    "whichgpu_answer_seconds",
    "From receiving an event to the end of its handling.",
    ("platform",),
    buckets=SECONDS,
    registry=REGISTRY,
)
THINKING = Histogram("whichgpu_thinking_seconds", "Reading, advising, rendering.", buckets=SECONDS, registry=REGISTRY)
EVENTS = Counter(
    "whichgpu_events", "Events taken in; `again` were known already.", ("platform", "state"), registry=REGISTRY
)
RETRIES = Counter(
    "whichgpu_retries",
    "Handling begun again: `later` as the platform asked, `failed` after an error.",
    ("platform", "why"),
    registry=REGISTRY,
)
SET_ASIDE = Counter(
    "whichgpu_set_aside", "Events that failed too often or could not be read.", ("platform",), registry=REGISTRY
)
UNKNOWN = Counter("whichgpu_unknown_names", "Names asked for that the catalog lacks.", ("slot",), registry=REGISTRY)
LIMITED = Counter(
    "whichgpu_limited", "Questions over a rate limit or from a denied place.", ("platform", "why"), registry=REGISTRY
)
HUB = Counter("whichgpu_hub_lookups", "Model look-ups on the Hub.", ("result",), registry=REGISTRY)
FEEDBACK = Counter(
    "whichgpu_feedback", "Helpful or not, as people pressed.", ("platform", "helpful"), registry=REGISTRY
)
CONNECTED = Gauge("whichgpu_connected", "1 while a platform is connected.", ("platform",), registry=REGISTRY)
RESTARTS = Counter(
    "whichgpu_adapter_restarts", "An adapter ended by itself and was started again.", ("platform",), registry=REGISTRY
)
WAITING = Gauge("whichgpu_inbox_waiting", "Events that are not done.", registry=REGISTRY)
OLDEST = Gauge("whichgpu_inbox_oldest_seconds", "Age of the oldest event that is not done.", registry=REGISTRY)
STORE_UP = Gauge("whichgpu_store_up", "1 while the database takes what is written.", registry=REGISTRY)


def exposition() -> bytes:
    """All metrics in Prometheus' text format."""
    return generate_latest(REGISTRY)
