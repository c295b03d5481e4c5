"""The alerts of docs/operating fire when they should and not otherwise; Prometheus reads them."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.compilers.tools import tool
from tests.docs import markdown
from tests.patience import PATIENCE

FOLDER = markdown.ROOT / "docs/operating"
RULES = FOLDER / "alerts.yml"
METRIC = re.compile(r"\bregistry_[a-z_]+")
PARTS = ("_bucket", "_sum", "_count")  # of a histogram
RESOLVE = 'method="GET", route="api/v1/resolve/<reference:reference>"'
HOUR = 60  # minutes, which are the steps of all series

# The series with which each alert fires after two hours, and those with which it does not.
CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "RegistryDown": (
        {'up{job="target-tag-registry"}': "1x100 0x20"},
        {'up{job="target-tag-registry"}': "0x100 1x20", 'up{job="other"}': "0x120"},
    ),
    "RegistryFails": (
        {'registry_requests_total{status="500", route="/"}': "0x117 1x5"},
        {
            'registry_requests_total{status="500", route="/"}': "0x60 7x60",
            'registry_requests_total{status="200", route="/"}': "0+9x120",
        },
    ),
    "RegistryUnavailable": (
        {
            'registry_requests_total{status="503"}': "0+2x120",
            'registry_requests_total{status="200"}': "0+98x120",
        },
        {
            'registry_requests_total{status="503"}': "0+1x120",
            'registry_requests_total{status="200"}': "0+150x120",
        },
    ),
    "ResolvesSlow": (
        {
            f'registry_request_seconds_bucket{{{RESOLVE}, le="0.1"}}': "0+97x120",
            f'registry_request_seconds_bucket{{{RESOLVE}, le="+Inf"}}': "0+100x120",
            f'registry_request_seconds_bucket{{{RESOLVE}, le="0.25"}}': "0+100x120",
        },
        {
            f'registry_request_seconds_bucket{{{RESOLVE}, le="0.1"}}': "0+100x120",
            f'registry_request_seconds_bucket{{{RESOLVE}, le="+Inf"}}': "0+100x120",
            'registry_request_seconds_bucket{method="GET", route="tags/", le="0.1"}': "0x120",
            'registry_request_seconds_bucket{method="GET", route="tags/", le="+Inf"}': "0+9x120",
        },
    ),
    "ResolvesRefused": (
        {'registry_lane_refusals_total{lane="resolve"}': "0x117 3x5"},
        {
            'registry_lane_refusals_total{lane="resolve"}': "3x120",
            'registry_lane_refusals_total{lane="page"}': "0+5x120",
        },
    ),
    "MemoryBlind": (
        {
            'registry_memory_lookups_total{result="unknown"}': "0+60x120",
            'registry_memory_lookups_total{result="hit"}': "0+40x120",
        },
        {
            'registry_memory_lookups_total{result="unknown"}': "0+40x120",
            'registry_memory_lookups_total{result="hit"}': "0+60x120",
        },
    ),
    "RevisionOld": (
        {"registry_revision_read_timestamp_seconds": "0+60x117 7020x5"},
        {
            "registry_revision_read_timestamp_seconds": "0+60x120",
            'registry_revision_read_timestamp_seconds{instance="started"}': "_x119 7200",
        },
    ),
    "PoolExhausted": (
        {'registry_pool_connections{state="waiting"}': "0x117 2x5"},
        {
            'registry_pool_connections{state="waiting"}': "0x100 2x1 0x20",
            'registry_pool_connections{state="used"}': "8x120",
        },
    ),
    "MailWaits": (
        {"registry_outbox_age_seconds": "0x100 400x20"},
        {"registry_outbox_age_seconds": "0x100 200x20"},
    ),
    "MailGivenUp": (
        {"registry_outbox_given_up_mails": "1x100 2x20"},
        {"registry_outbox_given_up_mails": "2x120"},
    ),
    "JobMissed": (
        {'registry_duty_succeeded_timestamp_seconds{duty="clean-up"}': f"{-25 * 3600}x120"},
        {
            'registry_duty_succeeded_timestamp_seconds{duty="backup"}': f"{-23 * 3600}x120",
            'registry_duty_succeeded_timestamp_seconds{duty="mail"}': f"{-99 * 3600}x120",
        },
    ),
    "JobFails": (
        {'registry_duty_failures{duty="verify"}': "0x100 1x20"},
        {
            'registry_duty_failures{duty="verify"}': "1x100 0x20",
            'registry_duty_failures{duty="mail"}': "3x120",
        },
    ),
    "PurgesWait": (
        {
            'registry_purge_waiting{duty="purge a"}': "0x110 3x10",
            'registry_duty_succeeded_timestamp_seconds{duty="purge a"}': "-60x120",
            'registry_purge_waiting{duty="purge b"}': "0x120",
        },
        {
            'registry_purge_waiting{duty="purge a"}': "3x120",  # a busy publisher
            'registry_duty_succeeded_timestamp_seconds{duty="purge a"}': "-5+60x120",
            'registry_purge_waiting{duty="purge b"}': "0x120",
            'registry_duty_succeeded_timestamp_seconds{duty="purge b"}': "-9999x120",
            'registry_purge_waiting{duty="purge c"}': "0x119 1x1",  # a moment ago
        },
    ),
}


def promtool(*arguments: object) -> None:
    done = subprocess.run(
        [tool("promtool"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def alerts() -> list[dict[str, str]]:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    rules: list[dict[str, str]] = group["rules"]
    return rules


def dashboard() -> Iterator[str]:
    """Yield the expressions of the dashboard."""
    for panel in json.loads((FOLDER / "dashboard.json").read_text())["panels"]:
        for target in panel["targets"]:
            yield target["expr"]


def test_every_alert_has_cases() -> None:
    assert [*CASES] == [rule["alert"] for rule in alerts()]


def fires(alert: str, series: dict[str, str], *, expected: bool) -> dict[str, object]:
    """Return a test of promtool: whether an alert fires after two hours of some series."""
    inputs = [{"series": name, "values": values} for name, values in series.items()]
    condition = f'count(ALERTS{{alertname="{alert}", alertstate="firing"}}) or vector(0)'
    return {
        "interval": "1m",
        "input_series": inputs,
        "promql_expr_test": [
            {
                "expr": condition,
                "eval_time": f"{2 * HOUR}m",
                "exp_samples": [{"labels": "{}", "value": int(expected)}],
            }
        ],
    }


@pytest.mark.parametrize("alert", CASES)
def test_alert_fires_when_it_should_and_not_otherwise(alert: str, tmp_path: Path) -> None:
    yes, no = CASES[alert]
    tests = [fires(alert, yes, expected=True), fires(alert, no, expected=False)]
    file = tmp_path / "alerts_test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": tests}))
    promtool("test", "rules", file)


def test_prometheus_reads_the_alerts_and_the_dashboard(tmp_path: Path) -> None:
    promtool("check", "rules", RULES)
    rules = [{"record": f"panel:{n}", "expr": text} for n, text in enumerate(dashboard())]
    file = tmp_path / "panels.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    promtool("check", "rules", file)


def test_alerts_and_dashboard_know_only_documented_metrics() -> None:
    table = markdown.section("docs/operating.md", "Metrics").rows
    documented = {name for row in table for name in METRIC.findall(row[0])}
    used = {name for text in [RULES.read_text(), *dashboard()] for name in METRIC.findall(text)}
    for part in PARTS:
        used = {name.removesuffix(part) for name in used}
    assert used <= documented
