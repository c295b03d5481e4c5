"""`ttag records check`: which records apply, and why others do not."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import Ttag
from tests.client.records import HASWELL, RECORDED, record, write_database
from tests.client.scripted_server import ScriptedServer, problem, response
from tests.databases import ROOT
from tests.domain.shipped import library
from ttag.errors import Refused, Unreachable
from ttag.records.database import folder_name
from ttag.records.leaves import recorded_leaf
from ttag.registry.registry import Registry

CUDA = {"kind": "cuda", "keys": ["cuda", "gpu"], "arch": "sm_53", "tag": ""}
JETSON = CUDA | {
    "max_num_threads": 1024,
    "max_shared_memory_per_block": 49152,
    "max_threads_per_block": 1024,
    "registers_per_block": 32768,
    "thread_warp_size": 32,
}
HOST = {"kind": "llvm", "mcpu": "cortex-a57", "mtriple": "aarch64-linux-gnu", "num-cores": 4}
SOC = {"kind": "c", "keys": ["arm_cpu", "cpu"], "mcpu": "cortex-m7", "model": "arm-soc"}


def check(ttag: Ttag, folder: Path, *references: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code and the results by target."""
    run = ttag("records", "check", str(folder), *references, "--json")
    assert run.err == ""
    return run.code, json.loads(run.out)["targets"]


def test_records_that_tvm_made_for_two_tags_apply_to_them(ttag: Ttag) -> None:
    run = ttag("records", "check", str(RECORDED), "aws/c4.4xlarge@1.1.0", "aws/c4.8xlarge@1.0.0")
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        "4 of 4 records apply\n"
        "2 records of 1 workload for llvm mcpu=haswell num-cores=8: apply\n"
        "  to aws/c4.4xlarge@1.1.0\n"
        "2 records of 1 workload for llvm mcpu=haswell num-cores=18: apply\n"
        "  to aws/c4.8xlarge@1.0.0\n"
    )


def example(page: str, command: str) -> tuple[str, str]:
    """Return the references of a command on a page, and what it writes there."""
    text = (ROOT / page).read_text().partition(f"$ ttag records check {command} ")[2]
    references, _, output = text.partition("\n")
    return references, output.partition("```")[0]


def test_example_of_tuning_keys_is_what_is_written(ttag: Ttag, tmp_path: Path) -> None:
    gpu = JETSON | {"max_threads_per_block": 512}
    records = [record(HOST, workload=number) for number in (0, 0, 1, 1)]
    folder = write_database(tmp_path / "db", *records, record(gpu), record(gpu), workloads=2)
    reference, output = example("docs/tuning.md", "DATABASE")
    assert ttag("records", "check", str(folder), reference).out == output


def test_example_of_the_readme_is_what_is_written(ttag: Ttag) -> None:
    reference, output = example("client/README.md", "records")
    assert ttag("records", "check", str(RECORDED), reference).out == output


def test_other_records_name_the_nearest_leaf_and_the_difference(ttag: Ttag) -> None:
    run = ttag(
        "records", "check", str(RECORDED), "aws/c4.4xlarge@1.1.0", "nvidia/jetson-nano@1.0.0"
    )
    assert run.code == 1
    assert run.out == (
        "2 of 4 records apply\n"
        "2 records of 1 workload for llvm mcpu=haswell num-cores=8: apply\n"
        "  to aws/c4.4xlarge@1.1.0\n"
        "2 records of 1 workload for llvm mcpu=haswell num-cores=18: do not apply\n"
        "  nearest: aws/c4.4xlarge@1.1.0\n"
        "    num-cores: 18 in the records, 8 in the target  (read by tuning)\n"
    )
    assert run.err == "note: no measured records for nvidia/jetson-nano@1.0.0\n"


def test_references_come_from_the_settings(ttag: Ttag, tmp_path: Path) -> None:
    (tmp_path / "work" / "ttag.toml").write_text('targets = ["aws/c4.4xlarge", "aws/c4.8xlarge"]')
    assert ttag("records", "check", str(RECORDED)).code == 0


def test_missing_reference_is_an_error(ttag: Ttag) -> None:
    run = ttag("records", "check", str(RECORDED))
    assert (run.code, run.out) == (2, "")
    assert "No reference is stated" in run.err


def test_host_has_records_of_its_own(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(JETSON | {"host": HOST}), record(HOST))
    code, (gpu, cpu) = check(ttag, folder, "nvidia/jetson-nano@1.1.0")
    assert code == 0
    assert [leaf["pointer"] for leaf in gpu["leaves"]] == [""]
    assert [leaf["pointer"] for leaf in cpu["leaves"]] == ["/host"]


def test_values_are_compared_as_tuning_keys_compare_them(ttag: Ttag, tmp_path: Path) -> None:
    """The triple in another spelling and a default that is stated change nothing."""
    same = HASWELL | {"mtriple": "x86_64-linux-gnu", "opt-level": 3, "feature.has_avx2": True}
    folder = write_database(tmp_path / "db", record(same))
    assert check(ttag, folder, "aws/c4.4xlarge")[0] == 0


def test_name_in_a_record_inherits_nothing(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(HASWELL | {"tag": "aws/c4.8xlarge"}))
    assert check(ttag, folder, "aws/c4.4xlarge")[0] == 0


def test_another_kind_is_the_only_difference_listed(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(JETSON))
    _, (result,) = check(ttag, folder, "aws/c4.4xlarge")
    assert result["differences"] == [
        {"option": "kind", "recorded": "cuda", "expected": "llvm", "consumers": []}
    ]


def test_failed_records_are_counted(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(HASWELL), record(HASWELL, seconds=[1e10]))
    run = ttag("records", "check", str(folder), "aws/c4.4xlarge")
    assert "2 records of 1 workload for llvm mcpu=haswell num-cores=8, 1 failed: apply" in run.out
    assert run.out.startswith("1 of 2 records apply\n")


def test_records_that_all_failed_do_not_apply(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(HASWELL, seconds=[1e10]))
    run = ttag("records", "check", str(folder), "aws/c4.4xlarge")
    assert (run.code, run.out.splitlines()[0]) == (1, "0 of 1 record apply")
    assert "1 failed: do not apply\n" in run.out
    assert "each of their measurements has failed" in run.out
    assert "note: no measured records for aws/c4.4xlarge@" in run.err
    report = json.loads(ttag("records", "check", str(folder), "aws/c4.4xlarge", "--json").out)
    assert (report["applying"], report["targets"][0]["applies"]) == (0, False)
    assert (len(report["untuned"]), report["targets"][0]["failed"]) == (1, 1)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (None, "they state no target"),
        ({"kind": "llvm", "mcpu": "haswell"}, "mtriple"),
        ({"kind": "composite", "devices": [HASWELL]}, "the target is not a leaf"),
        ({"kind": "hexagonn"}, "the registry cannot read the target: "),
    ],
)
def test_target_without_a_key_is_explained(
    ttag: Ttag, tmp_path: Path, target: Any, reason: str
) -> None:
    folder = write_database(tmp_path / "db", record(target))
    code, (result,) = check(ttag, folder, "aws/c4.4xlarge")
    assert (code, result["nearest"]) == (1, None)
    assert reason in result["reason"]


def test_target_that_no_request_can_hold_does_not_end_the_check(ttag: Ttag, tmp_path: Path) -> None:
    huge = HASWELL | {"keys": [f"key{number}" for number in range(20_000)]}
    folder = write_database(tmp_path / "db", record(huge), record(HASWELL))
    code, (first, second) = check(ttag, folder, "aws/c4.4xlarge@1.1.0")
    assert code == 1
    assert (first["applies"], first["nearest"]) == (False, None)
    assert first["reason"].startswith("the registry cannot read the target: ")
    assert first["reason"].endswith(" bytes are too many: this request has at most 131072")
    assert second["applies"]


@pytest.mark.parametrize(("status", "code"), [(401, "TOKEN_INVALID"), (404, "ROUTE_UNKNOWN")])
def test_refusal_that_is_not_about_the_target_ends_the_check(
    server: ScriptedServer, status: int, code: str
) -> None:
    server.responses = [problem(code, status, "No.")]
    with pytest.raises(Refused):
        recorded_leaf(json.dumps(HASWELL), Registry(server.address))


def test_pass_settings_are_known_from_the_folder_only(ttag: Ttag, tmp_path: Path) -> None:
    reference = "example/soc-with-npu:aot"
    plain = write_database(tmp_path / "db", record(SOC))
    code, (result,) = check(ttag, plain, reference)
    assert (code, [each["option"] for each in result["differences"]]) == (1, ["flow"])
    key = result["nearest"]["key"]
    assert folder_name(key) in result["reason"]
    named = write_database(tmp_path / folder_name(key), record(SOC))
    code, (result,) = check(ttag, named, reference)
    assert (code, result["key"]) == (0, key)


def test_record_in_the_folder_of_another_key_does_not_apply(ttag: Ttag, tmp_path: Path) -> None:
    key = json.loads(ttag("resolve", "aws/c4.8xlarge", "--format", "json").out)["tuning_keys"][""]
    folder = write_database(tmp_path / folder_name(key), record(HASWELL))
    code, (result,) = check(ttag, folder, "aws/c4.8xlarge")
    assert (code, [each["option"] for each in result["differences"]]) == (1, ["num-cores"])
    code, (result,) = check(ttag, folder, "aws/c4.4xlarge")
    assert (code, result["differences"]) == (1, [])
    assert key in result["reason"]


def test_empty_database_has_nothing_to_lose(ttag: Ttag, tmp_path: Path) -> None:
    run = ttag("records", "check", str(write_database(tmp_path / "db")), "aws/c4.4xlarge@1.1.0")
    assert (run.code, run.out) == (0, "0 of 0 records apply\n")
    assert run.err == "note: no measured records for aws/c4.4xlarge@1.1.0\n"


def test_mixin_is_refused(ttag: Ttag, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "db", record(HASWELL))
    run = ttag("records", "check", str(folder), "micro/aot")
    assert (run.code, run.out) == (3, "")
    assert "is a mixin" in run.err


def test_checked_database_is_checked_again_offline(ttag: Ttag) -> None:
    first = ttag("records", "check", str(RECORDED), "aws/c4.4xlarge")
    again = ttag("records", "check", str(RECORDED), "aws/c4.4xlarge", TTAG_OFFLINE="1")
    assert (again.code, again.out) == (1, first.out)


def test_unchecked_database_needs_the_registry(ttag: Ttag, tmp_path: Path) -> None:
    ttag("records", "check", str(RECORDED), "aws/c4.4xlarge")
    other = write_database(tmp_path / "db", record(JETSON))
    run = ttag("records", "check", str(other), "aws/c4.4xlarge", TTAG_OFFLINE="1")
    assert (run.code, run.out) == (4, "")


def test_registry_that_sends_something_else_is_refused(server: ScriptedServer) -> None:
    server.responses = [response({"valid": True})]
    with pytest.raises(Unreachable, match="is not the result of a check"):
        recorded_leaf(json.dumps(HASWELL), Registry(server.address))


def test_json_has_the_members_that_the_readme_lists(ttag: Ttag) -> None:
    page = (ROOT / "client" / "README.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| `records check` |"))
    report = json.loads(ttag("records", "check", str(RECORDED), "aws/c4.4xlarge", "--json").out)
    listed = set(re.findall(r"`(\w+)`", row))
    leaf = report["targets"][0]["leaves"][0]
    difference = report["targets"][1]["differences"][0]
    assert listed == set().union(report, report["targets"][0], leaf, difference)


def test_difference_is_named_even_if_its_readers_are_unknown(ttag: Ttag) -> None:
    ttag("records", "check", str(RECORDED), "aws/c4.8xlarge")
    ttag("records", "check", str(RECORDED), "aws/c4.8xlarge", "aws/c4.4xlarge")
    run = ttag("records", "check", str(RECORDED), "aws/c4.4xlarge", TTAG_OFFLINE="1")
    assert run.code == 1
    assert run.out.endswith("    num-cores: 18 in the records, 8 in the target\n")


@pytest.mark.parametrize(
    ("options", "applies"),
    [
        ({}, True),  # as the tag states it, and its records did
        ({"mtriple": "armv7l-unknown-linux-gnueabihf", "mfloat-abi": "hard"}, True),
        ({"mtriple": "armv7l-unknown-linux-gnueabihf", "mfloat-abi": "soft"}, False),
        ({"mtriple": "armv7l-unknown-linux-gnueabi", "mfloat-abi": "hard"}, False),
    ],
)
def test_records_may_state_the_float_abi_that_a_triple_implies(
    ttag: Ttag, tmp_path: Path, options: dict[str, str], applies: bool
) -> None:
    target = library().versions["arm/rasp3b"][1].resolution.target | options
    target.pop("hardware", None)
    folder = write_database(tmp_path / "db", record(target))
    _, (result,) = check(ttag, folder, "arm/rasp3b")
    assert result["applies"] is applies
