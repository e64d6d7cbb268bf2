"""The manifests: rendered by kustomize, judged by schemas of Kubernetes where they are installed, and our promises."""

import re
import subprocess
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.deploy.files import DEPLOY, UID, default, documents, program, variables

FOLDER = DEPLOY / "kubernetes"
OVERLAY = FOLDER / "overlays" / "example"
KUSTOMIZATIONS = sorted(FOLDER.rglob("kustomization.yaml"))
PATCHES = {
    path.parent / patch["path"]
    for path in KUSTOMIZATIONS
    for patch in documents(path)[0].get("patches", ())
    if "path" in patch
}
MANIFESTS = sorted({*FOLDER.rglob("*.yaml")} - {*KUSTOMIZATIONS} - PATCHES)
WORKLOADS = ("Deployment", "StatefulSet")


def base() -> dict[tuple[str, str], Any]:
    found = [document for path in sorted((FOLDER / "base").glob("*.yaml")) for document in documents(path)]
    return {(d["kind"], d["metadata"]["name"]): d for d in found if d["kind"] != "Kustomization"}


@pytest.fixture(scope="module")
def rendered() -> dict[tuple[str, str], Any]:
    done = subprocess.run([program("kubectl"), "kustomize", OVERLAY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {(d["kind"], d["metadata"]["name"]): d for d in yaml.safe_load_all(done.stdout)}


def pods(objects: dict[tuple[str, str], Any]) -> Iterator[tuple[str, Any, Any]]:
    for (kind, name), found in objects.items():
        if kind in WORKLOADS:
            spec = found["spec"]["template"]["spec"]
            (container,) = spec["containers"]
            yield name, spec, container


def environment(container: Any) -> dict[str, Any]:
    return {entry["name"]: entry.get("value", entry.get("valueFrom")) for entry in container["env"]}


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_each_object_fits_the_schema_of_kubernetes(path):
    checker = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    for document in documents(path):
        if not document["apiVersion"].startswith("postgresql.cnpg.io/"):  # an operator's own kind
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                checker.validate(document, checker.latest_version(), strict=True)


def test_what_kustomize_makes_fits_the_schema_too(rendered):
    checker = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    for (kind, _), document in rendered.items():
        if kind != "Cluster":
            checker.validate(document, checker.latest_version(), strict=True)
            assert kind == "Namespace" or document["metadata"]["namespace"] == "whichgpu"


@pytest.mark.parametrize("path", KUSTOMIZATIONS, ids=lambda path: path.parent.name)
def test_what_a_kustomization_names_exists_and_nothing_is_forgotten(path):
    (found,) = documents(path)
    patches = [patch["path"] for patch in found.get("patches", ()) if "path" in patch]
    for name in (*found["resources"], *patches):
        assert (path.parent / name).exists(), name
    lying = {other.name for other in path.parent.glob("*.yaml")} - {"kustomization.yaml"}
    assert lying == {name for name in (*found["resources"], *patches) if name.endswith(".yaml")}


def test_as_many_shards_as_pods(rendered):
    discord = rendered["StatefulSet", "whichgpu-discord"]
    given = environment(discord["spec"]["template"]["spec"]["containers"][0])
    assert given["WHICHGPU_DISCORD_SHARDS"] == str(discord["spec"]["replicas"])
    assert given["WHICHGPU_DISCORD_SHARD_IDS"] == {
        "fieldRef": {"fieldPath": "metadata.labels['apps.kubernetes.io/pod-index']"}
    }


def test_the_address_of_the_webhook_is_that_of_the_ingress(rendered):
    for objects in (base(), rendered):
        container = objects["Deployment", "whichgpu-telegram"]["spec"]["template"]["spec"]["containers"][0]
        url = environment(container)["WHICHGPU_TELEGRAM_WEBHOOK_URL"]
        ingress = objects["Ingress", "whichgpu-telegram"]["spec"]
        (rule,), (tls,) = ingress["rules"], ingress["tls"]
        (path,) = rule["http"]["paths"]
        assert url == f"https://{rule['host']}{path['path']}"
        assert path["pathType"] == "Exact"
        assert tls["hosts"] == [rule["host"]]


def test_names_lead_somewhere():
    objects = base()
    for name, spec, _container in pods(objects):
        assert ("ServiceAccount", spec["serviceAccountName"]) in objects
        assert ("Service", name) in objects
        assert ("PodDisruptionBudget", name) in objects
    selected = {k: found["spec"]["selector"]["matchLabels"] for (k, _), found in objects.items() if k in WORKLOADS}
    for (kind, name), found in objects.items():
        if kind == "HorizontalPodAutoscaler":
            target = found["spec"]["scaleTargetRef"]
            assert (target["kind"], target["name"]) in objects
        if kind == "PodDisruptionBudget":
            assert found["spec"]["selector"]["matchLabels"] in selected.values(), name
        if kind == "Service":
            assert found["spec"]["selector"] in selected.values(), name


@pytest.mark.parametrize(
    ("name", "spec", "container"), list(pods(base())), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_pod_is_restricted(name, spec, container):
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["runAsUser"] == UID
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
    }  # fmt: skip
    assert {"cpu", "memory"} <= set(container["resources"]["requests"])
    assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize(
    ("name", "spec", "container"), list(pods(base())), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_pod_s_settings_ports_and_secrets_agree(name, spec, container):
    (kustomization,) = documents(FOLDER / "base" / "kustomization.yaml")
    shared = dict(pair.split("=", 1) for pair in kustomization["configMapGenerator"][0]["literals"])
    given = {**shared, **environment(container)}
    assert set(given) <= variables()
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert given["WHICHGPU_HTTP_LISTEN"] == f"0.0.0.0:{ports['http']}"
    assert (
        ports.get("webhook", 8443) == int(given["WHICHGPU_TELEGRAM_WEBHOOK_PORT"]) == default("telegram_webhook_port")
    )
    for probe, path in (("startupProbe", "/healthz"), ("livenessProbe", "/healthz"), ("readinessProbe", "/readyz")):
        assert container[probe]["httpGet"] == {"path": path, "port": "http"}
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert set(mounts) == {volume["name"] for volume in spec["volumes"]}
    for variable, value in given.items():
        if variable.endswith("_FILE"):
            assert any(value.startswith(f"{path}/") for path in mounts.values()), variable
    assert not any(re.search("TOKEN$|SECRET$|DATABASE_URL$", variable) for variable in given)


def test_the_database_secret_is_the_one_that_the_operator_makes():
    objects = base()
    (cluster,) = [name for kind, name in objects if kind == "Cluster"]
    for _, spec, _ in pods(objects):
        names = [volume["secret"]["secretName"] for volume in spec["volumes"] if volume["name"] == "database"]
        assert names == [f"{cluster}-app"]
    for (kind, _), found in objects.items():
        if kind == "NetworkPolicy":
            for label in re.findall(r"'cnpg.io/cluster': '([\w-]+)'", str(found)):
                assert label == cluster


def test_the_network_lets_in_webhooks_and_metrics_only():
    objects = base()
    open_ports = {}
    for (kind, name), policy in objects.items():
        if kind == "NetworkPolicy" and "database" not in name:
            for rule in policy["spec"]["ingress"]:
                assert rule["from"], f"{name} lets everybody in"
                open_ports |= {port["port"]: name for port in rule["ports"]}
    assert set(open_ports) == {8080, 8443}
    egress = [port["port"] for rule in objects["NetworkPolicy", "whichgpu"]["spec"]["egress"] for port in rule["ports"]]
    assert set(egress) == {53, 5432, 443}


def test_a_pod_is_given_the_time_to_finish():
    from bot.app import CLOSE_SECONDS, DRAIN_SECONDS

    for _, spec, _ in pods(base()):
        assert spec["terminationGracePeriodSeconds"] > DRAIN_SECONDS + CLOSE_SECONDS


def test_the_schema_would_name_a_mistake():
    checker = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    wrong = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x"}, "spec": {"replica": 1}}
    with pytest.raises(checker.ValidationError):
        checker.validate(wrong, checker.latest_version(), strict=True)
