"""Dashboard, alerts and scraping name metrics, labels and values that the bot has."""

import re
from typing import Any

import pytest
import yaml
from prometheus_client import ProcessCollector
from prometheus_client.metrics import MetricWrapperBase

from bot import metrics
from tests.deploy.files import DEPLOY, default, documents, load_json
from tests.paths import ROOT

DASHBOARD = load_json(DEPLOY / "grafana" / "dashboard.json")
(RULES,) = documents(DEPLOY / "prometheus" / "rules.yaml")
(SCRAPING,) = documents(DEPLOY / "prometheus" / "prometheus.yaml")
RULE_LIST = [rule for group in RULES["groups"] for rule in group["rules"]]
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [
    *((panel["title"], target["expr"]) for panel in PANELS for target in panel["targets"]),
    *((rule.get("alert") or rule["record"], rule["expr"]) for rule in RULE_LIST),
]
RECORDED = {rule["record"] for rule in RULE_LIST if "record" in rule}
OUTCOMES = {"answered", "silent", "limited", "refused", "late", "failed"}


OURS = [metric for metric in vars(metrics).values() if isinstance(metric, MetricWrapperBase)]
OF_THE_PROCESS = {sample.name for metric in ProcessCollector(registry=None).collect() for sample in metric.samples}


def ours() -> dict[str, set[str]]:
    """Every series that /metrics can show, with its labels."""
    if not OF_THE_PROCESS:
        pytest.skip("the process's own metrics are there on Linux only")
    found = {name: {"instance"} for name in OF_THE_PROCESS}
    for metric in OURS:
        labels = set(metric._labelnames)
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}[metric._type]
        found |= {metric._name + end: labels | ({"le"} if end == "_bucket" else set()) for end in ends}
    return found


def plain(expression: str) -> str:
    """As Prometheus gets it from Grafana."""
    return expression.replace("$__rate_interval", "5m").replace("$platform", ".*")


@pytest.mark.parametrize(("title", "expression"), EXPRESSIONS)
def test_every_series_and_label_exists(title, expression):
    known = ours()
    words = re.sub(r'"[^"]*"', '""', plain(expression))
    series = set(re.findall(r"\b(?:whichgpu[\w:]+|process_\w+)", words))
    assert series or "up{" in expression
    assert series <= set(known) | RECORDED, title
    labels = set().union(*(known.get(name, {"platform", "outcome"}) for name in series)) | {"job"}
    by = {label.strip() for group in re.findall(r"\bby \(([^)]*)\)", words) for label in group.split(",")}
    matched = {label for group in re.findall(r"\{([^}]*)\}", words) for label in re.findall(r"(\w+)\s*[=!]", group)}
    assert by | matched <= labels, title


@pytest.mark.parametrize(("title", "expression"), EXPRESSIONS)
def test_prometheus_can_read_it(title, expression):
    parser = pytest.importorskip("promql_parser", reason="promql-parser is not installed")
    parser.parse(plain(expression))


def test_every_metric_is_shown_somewhere():
    shown = " ".join(expression for _, expression in EXPRESSIONS)
    for metric in OURS:
        assert metric._name in shown, f"no panel and no alert reads {metric._name}"


def test_outcomes_are_those_that_the_bot_counts():
    named = set(re.findall(r'outcome="(\w+)"', " ".join(expression for _, expression in EXPRESSIONS)))
    assert named
    assert named <= OUTCOMES


def test_panels_do_not_overlap():
    taken: dict[tuple[int, int], str] = {}
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert taken.setdefault((x, y), panel["title"]) == panel["title"]
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_the_dashboard_reads_from_the_source_that_is_provided():
    (source,) = documents(DEPLOY / "grafana" / "provisioning" / "datasources" / "prometheus.yaml")[0]["datasources"]
    uids = {panel["datasource"]["uid"] for panel in PANELS}
    assert uids == {source["uid"]}
    (provider,) = documents(DEPLOY / "grafana" / "provisioning" / "dashboards" / "whichgpu.yaml")[0]["providers"]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    mounted = [volume.split(":")[1] for volume in compose["services"]["grafana"]["volumes"]]
    assert f"{provider['options']['path']}/dashboard.json" in mounted
    assert source["url"] == "http://prometheus:9090"


def test_prometheus_scrapes_where_the_bot_listens():
    (job,) = SCRAPING["scrape_configs"]
    (discovery,) = job["dns_sd_configs"]
    assert str(discovery["port"]) == default("http_listen").rpartition(":")[2]
    assert discovery["names"] == ["whichgpu"]
    for name in SCRAPING["rule_files"]:
        assert (DEPLOY / "prometheus" / name).exists()
    jobs: Any = re.findall(r'job="(\w+)"', str(RULE_LIST))
    assert set(jobs) == {job["job_name"]}


def test_every_alert_says_what_to_do():
    for rule in RULE_LIST:
        if "alert" in rule:
            assert set(rule["annotations"]) == {"summary", "description"}
            assert rule["labels"]["severity"] in ("critical", "warning")


def test_log_events_that_are_named_are_logged():
    rules = (DEPLOY / "prometheus" / "rules.yaml").read_text(encoding="utf-8")
    readme = (DEPLOY / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"log has ([a-z_]+\.[a-z_]+)", rules)) | set(re.findall(r"`([a-z_.]+)` in the log", readme))
    assert len(named) >= 4
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "bot").rglob("*.py"))
    assert not [name for name in named if f'"{name}"' not in sources]
