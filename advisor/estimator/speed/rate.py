"""Tokens per second and GPU: the work of a step over the rates of a card, and hours of a job."""

from dataclasses import dataclass
from math import ceil

from advisor.estimator.plan import Plan
from advisor.estimator.speed.coefficients import Coefficients, known_coefficients
from advisor.estimator.speed.machine import Machine, machine_of
from advisor.estimator.speed.work import Work, fuses, fuses_adapters, work_of
from knowledge.schemas import Gpu

SEQUENTIAL = frozenset({"pipeline", "device_map"})
"""Layers split over the GPUs, one working at a time."""


EXPERTS_SPREAD = 1.4
"""More of it for mixtures of experts: the same model runs three times as fast with grouped kernels as with a loop."""


@dataclass(frozen=True, slots=True)
class Range:
    """low <= mid <= high; a measured value lies inside nine times in ten."""

    low: float
    mid: float
    high: float

    def scaled(self, factor: float) -> "Range":
        """Every bound times `factor`."""
        return Range(self.low * factor, self.mid * factor, self.high * factor)


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where the time of one micro step goes, in seconds; `total` is less than the sum where parts overlap."""

    matmul: float
    attention: float
    traffic: float
    dequantise: float
    launch: float
    optimizer: float
    link: float
    host: float
    total: float


def _overlapped(a: float, b: float, power: float) -> float:
    """Time of two things that hide behind each other: the larger one, up to the sum where they are alike."""
    return float((a**power + b**power) ** (1 / power))


def _compute(work: Work, machine: Machine, plan: Plan, c: Coefficients) -> tuple[float, float, float, float]:
    """Seconds of (matrix products, attention, traffic, dequantisation)."""
    matmul = work.matmul_flops / machine.matmul
    attention = work.attention_flops / machine.matmul + work.softmax_flops * c.softmax_flops_share / machine.vector
    fused = c.fused_traffic_share if fuses(plan) else 1.0
    adapters = c.adapter_traffic_share * (c.fused_traffic_share if fuses_adapters(plan) else 1.0)
    traffic = work.moved_bytes + work.fused_bytes * fused + work.adapter_bytes * adapters
    slow = plan.quant in ("gptq", "awq") and not fuses(plan)
    share = c.dequantise_share_gptq if slow else c.dequantise_share
    dequantise = work.dequantised_bytes / (machine.bandwidth / c.bandwidth_share * share)
    return matmul, attention, traffic / machine.bandwidth, dequantise


def seconds_of(plan: Plan, machine: Machine, c: Coefficients) -> Seconds:
    """Seconds of one micro step on one GPU, by part."""
    work = work_of(plan, machine.memory)
    matmul, attention, traffic, dequantise = _compute(work, machine, plan, c)
    launch = work.launches * c.launch_us * 1e-6
    optimizer = work.optimizer_bytes / machine.bandwidth * c.bandwidth_share + work.cpu_params / c.cpu_adam_params_per_s
    link = work.gathered_bytes / machine.link
    host = work.host_bytes / (c.host_link_gb_s * 1e9)
    total = _overlapped(matmul + attention + traffic + dequantise, launch, 4)
    if plan.n_gpus > 1 and plan.sharding not in SEQUENTIAL:
        total *= 1 + c.sync_share
    total = _overlapped(total, link, 2) if machine.nvlink or not plan.sharded else total + link
    total = _overlapped(total, host, 2) + optimizer
    return Seconds(matmul, attention, traffic, dequantise, launch, optimizer, link, host, total)


def _spread(plan: Plan, machine: Machine, seconds: Seconds, c: Coefficients) -> float:
    """Factor from mid to either bound."""
    spread = c.spread if machine.measured else c.spread_unmeasured
    if plan.shape.guessed or not plan.profile.known:
        spread *= 1.15
    if plan.n_gpus > 1 and not machine.nvlink:
        spread *= 1 + (c.spread_pcie - 1) * min(1.0, seconds.link / seconds.total)
    if plan.shape.experts is not None:
        spread *= EXPERTS_SPREAD
    if plan.n_gpus > 8:
        spread *= 1.2
    return spread


_MACHINES: dict[str, tuple[Gpu, Coefficients, Machine | None]] = {}
"""Card id → its rates, with what they were made from; as many as the catalog has cards."""


def _machine(gpu: Gpu, c: Coefficients) -> Machine | None:
    kept = _MACHINES.get(gpu.id)
    if kept is None or kept[0] is not gpu or kept[1] is not c:
        _MACHINES[gpu.id] = kept = (gpu, c, machine_of(gpu, c))
    return kept[2]


def tokens_per_second(plan: Plan, gpu: Gpu | None, coefficients: Coefficients | None = None) -> Range | None:
    """Tokens per second and GPU. None for an unknown card, one without a compute rate, and for GRPO or PPO.

    Tokens are those of the batch as shaped (B s): padding counts. With layers split over cards (pipeline) the cards
    take turns, and each gets its share of the whole. RL runs spend most of their time generating.
    """
    if gpu is None or plan.algorithm in ("grpo", "ppo"):
        return None
    c = coefficients or known_coefficients()
    machine = _machine(gpu, c)
    if machine is None:
        return None
    seconds = seconds_of(plan, machine, c)
    mid = plan.tokens / seconds.total
    if plan.sharding in SEQUENTIAL:
        mid /= plan.n_gpus
    spread = _spread(plan, machine, seconds, c)
    return Range(mid / spread, mid, mid * spread)


def hours(rate: Range, tokens: float, n_gpus: int = 1) -> Range:
    """Hours of training on `tokens` tokens in all (examples x tokens per example x epochs) at `rate` per GPU.

    Loading, evaluation and saving come on top; that is why the upper bound has a tenth more.
    """
    per_hour = 3600 * n_gpus
    return Range(tokens / (rate.high * per_hour), tokens / (rate.mid * per_hour), 1.1 * tokens / (rate.low * per_hour))


def job_tokens(examples: int, tokens_per_example: float, epochs: float = 1.0) -> float:
    """Tokens that a job trains on."""
    return examples * tokens_per_example * epochs


def rate_at(
    plan: Plan, gpu: Gpu | None, tokens: float, *, packed: bool = False, coefficients: Coefficients | None = None
) -> tuple[float, Range] | None:
    """(tokens of an example as it is trained, the speed): at its own length, or joined up to seq_len when packed."""
    each = min(tokens, plan.seq_len) if packed else min(max(1, ceil(tokens)), plan.seq_len)
    rate = tokens_per_second(plan if packed else plan.at(int(each)), gpu, coefficients)
    return (each, rate) if rate else None


SHORT_SHARE, MEAN_SHARE = 0.125, 0.5
"""Of the context limit: how long examples are at the least and on average where nobody says."""


def job_hours(
    plan: Plan,
    gpu: Gpu | None,
    examples: int,
    *,
    tokens_per_example: float | None = None,
    epochs: float = 1.0,
    packed: bool = False,
    coefficients: Coefficients | None = None,
) -> Range | None:
    """Hours of a job on plan.n_gpus cards; None where the speed is not known.

    Examples are trained at their own length, or joined up to seq_len when `packed`. Without `tokens_per_example` they
    are taken as half the context long, and the range reaches from an eighth of it to all of it.
    """

    def at(tokens: float) -> Range | None:
        found = rate_at(plan, gpu, tokens, packed=packed, coefficients=coefficients)
        return hours(found[1], job_tokens(examples, found[0], epochs), plan.n_gpus) if found else None

    mean = at(tokens_per_example or MEAN_SHARE * plan.seq_len)
    if mean is None or tokens_per_example:
        return mean
    short, long = at(SHORT_SHARE * plan.seq_len), at(plan.seq_len)
    return Range(short.low, mean.mid, long.high) if short and long else mean
