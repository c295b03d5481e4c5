"""`ttag records coverage`: what a move to another version costs."""

import json
import re
from pathlib import Path

from tests.client.conftest import Ttag
from tests.client.records import HASWELL, RECORDED, record, write_database
from tests.client.records.test_check import JETSON
from tests.databases import ROOT


def test_records_that_move_are_kept(ttag: Ttag) -> None:
    run = ttag("records", "coverage", str(RECORDED), "aws/c4.4xlarge@1.0.0", "aws/c4.4xlarge@1.1.0")
    assert run.code == 0
    assert run.out == (
        "aws/c4.4xlarge@1.0.0 -> aws/c4.4xlarge@1.1.0: 2 of 2 records keep applying\n"
        "aws/c4.4xlarge@1.0.0: 2 records of 1 workload kept by aws/c4.4xlarge@1.1.0\n"
    )
    assert run.err == "note: 2 records for other targets than aws/c4.4xlarge@1.0.0\n"


def test_records_of_a_leaf_that_changes_are_lost(ttag: Ttag) -> None:
    run = ttag("records", "coverage", str(RECORDED), "aws/c4.4xlarge@1.1.0", "aws/c4.8xlarge@1.0.0")
    assert run.code == 1
    assert run.out == (
        "aws/c4.4xlarge@1.1.0 -> aws/c4.8xlarge@1.0.0: 0 of 2 records keep applying\n"
        "aws/c4.4xlarge@1.1.0: 2 records of 1 workload lost\n"
        "  nearest: aws/c4.8xlarge@1.0.0\n"
        "    num-cores: 8 -> 18  (read by tuning)\n"
    )


def test_each_leaf_is_counted(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(
        tmp_path / "db", record(JETSON), record(JETSON, workload=1), workloads=2
    )
    run = ttag(
        "records", "coverage", str(folder), "nvidia/jetson-nano@1.1.0", "aws/c4.4xlarge", "--json"
    )
    report = json.loads(run.out)
    assert (run.code, report["records"], report["kept"]) == (1, 2, 0)
    gpu, host = report["leaves"]
    assert (gpu["pointer"], gpu["lines"], gpu["workloads"]) == ("", [1, 2], [0, 1])
    assert (host["pointer"], host["lines"]) == ("/host", [])


def test_failed_records_are_neither_kept_nor_lost(ttag: Ttag, tmp_path: Path) -> None:
    failed = record(HASWELL, seconds=[1e10])
    folder = write_database(tmp_path / "db", record(HASWELL), failed)
    move = ("aws/c4.4xlarge@1.0.0", "aws/c4.4xlarge@1.1.0")
    run = ttag("records", "coverage", str(folder), *move)
    assert run.out.startswith(f"{' -> '.join(move)}: 1 of 1 record keep applying\n")
    assert "note: 1 failed measurement not counted\n" in run.err
    report = json.loads(ttag("records", "coverage", str(folder), *move, "--json").out)
    assert (report["records"], report["kept"], report["leaves"][0]["failed"]) == (1, 1, 1)
    folder = write_database(tmp_path / "only", failed)
    run = ttag("records", "coverage", str(folder), "aws/c4.4xlarge@1.1.0", "aws/c4.8xlarge@1.0.0")
    assert (run.code, "0 of 0 records keep applying" in run.out) == (0, True)


def test_a_node_has_the_records_of_its_leaves(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(JETSON))
    host, whole = "nvidia/jetson-nano@1.1.0#/host", "nvidia/jetson-nano@1.1.0"
    report = json.loads(ttag("records", "coverage", str(folder), host, whole, "--json").out)
    assert [leaf["pointer"] for leaf in report["leaves"]] == ["/host"]
    assert (report["old"], report["records"], len(report["unrelated"])) == (host, 0, 1)
    run = ttag("records", "coverage", str(folder), f"{whole}#/nothing", whole)
    assert (run.code, "node" in run.err) == (3, True)


def test_leaf_without_records_loses_nothing(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(HASWELL))
    run = ttag("records", "coverage", str(folder), "nvidia/jetson-nano@1.1.0", "aws/c4.4xlarge")
    assert run.code == 0
    assert "nvidia/jetson-nano@1.1.0#/host: no records\n" in run.out


def test_json_has_the_members_that_the_readme_lists(ttag: Ttag) -> None:
    page = (ROOT / "client" / "README.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| `records coverage` |"))
    run = ttag("records", "coverage", str(RECORDED), "aws/c4.4xlarge", "aws/c4.8xlarge", "--json")
    report = json.loads(run.out)
    leaf = report["leaves"][0]
    own = report.keys() | leaf.keys() - {"reference", "pointer", "key"}
    assert set(re.findall(r"`(\w+)`", row)) == own | {"targets"}


def test_move_to_a_mixin_is_refused(ttag: Ttag) -> None:
    run = ttag("records", "coverage", str(RECORDED), "aws/c4.4xlarge", "micro/aot")
    assert (run.code, run.out) == (3, "")
