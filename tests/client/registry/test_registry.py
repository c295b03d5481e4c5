"""A registry as the client asks it: a served one, and some that lie or are away."""

from pathlib import Path
from typing import Any

import pytest

from tests.client.answers import resolution_answer
from tests.client.scripted_server import ScriptedServer, problem, response
from ttag import (
    ExportOptions,
    NotLocked,
    ReferenceInvalid,
    Refused,
    Registry,
    Tampered,
    Unreachable,
)
from ttag.canonical_json import digest_of
from ttag.errors import errors_in
from ttag.http.cache import Cache
from ttag.resolution import Export, Resolution

TARGET = {"kind": "llvm", "mcpu": "haswell"}
DIGEST = digest_of(b'{"kind":"llvm","mcpu":"haswell"}')
RESOLUTION: dict[str, Any] = {
    "reference": "acme/board",
    "tag": "acme/board",
    "version": "1.0.0",
    "digest": DIGEST,
    "published": "2026-11-20T12:00:00Z",
    "status": "active",
    "target": TARGET,
    "tuning_keys": {"": "tk1:0"},
    "lineage": [],
    "build_key": None,
    "warnings": [],
}


@pytest.fixture
def cached(server: ScriptedServer, tmp_path: Path) -> Registry:
    """Return a registry whose responses the test decides, with a cache."""
    return Registry(server.address, timeout=5, cache=Cache(tmp_path / "cache"))


def test_resolution_has_all_identities(registry: str) -> None:
    resolution = Registry(registry).resolve("nvidia/jetson-nano:cuda@1.1")
    assert resolution.exact == "nvidia/jetson-nano:cuda@1.1.0"
    assert resolution.target["arch"] == "sm_53"
    assert resolution.tuning_keys.keys() == {"", "/host"}
    assert resolution.build_key.startswith("bk1:")
    assert resolution.lineage == ("nvidia/jetson-nano@1.1.1",)
    assert digest_of(resolution.text.encode()) == resolution.digest


def test_node_is_a_target_of_its_own(registry: str) -> None:
    host = Registry(registry).resolve("nvidia/jetson-nano:cuda", node="/host")
    assert (host.node, host.target["mcpu"]) == ("/host", "cortex-a57")
    assert digest_of(host.text.encode()) == host.digest


def test_target_is_a_copy(registry: str) -> None:
    resolution = Registry(registry).resolve("arm/soc")
    resolution.target["kind"] = "llvm"
    assert resolution.target["kind"] == "c"


def test_error_has_the_suggestions_of_the_registry(registry: str) -> None:
    with pytest.raises(Refused, match=r"There is no tag arm/sco\. Did you mean arm/soc\?"):
        Registry(registry).resolve("arm/sco")


def test_invalid_reference_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ReferenceInvalid):
        Registry("http://127.0.0.1:9").resolve("arm/soc@latest")


@pytest.mark.parametrize("form", ["target", "tvm", "config", "consumers", "tuning"])
def test_json_export_has_the_same_text_alone_and_with_others(registry: str, form: str) -> None:
    source = Registry(registry)
    references = ["nvidia/jetson-nano:cuda@1.2.0", "aws/c4.4xlarge@1.0.0"]
    alone = [source.export(reference, form) for reference in references]
    together = source.export_many(references, form)
    assert alone == together


@pytest.mark.parametrize("form", ["clang", "cmake", "iree", "tvm-string"])
def test_text_export_is_the_same_alone_and_with_others(registry: str, form: str) -> None:
    source = Registry(registry)
    references = ["aws/c4.4xlarge@1.0.0", "aws/c4.4xlarge@1.1.0"]
    alone = [source.export(reference, form) for reference in references]
    assert source.export_many(references, form) == alone
    assert alone[0].dropped


def test_many_references_are_answered_in_order(registry: str) -> None:
    references = ["arm/soc:aot", "arm/sco", "aws/c4.4xlarge@9", "arm/soc"]
    soc_aot, unknown, no_version, soc = Registry(registry).resolve_many(references)
    assert isinstance(soc_aot, Resolution)
    assert isinstance(soc, Resolution)
    assert (soc_aot.tag, soc.tag) == ("arm/soc:aot", "arm/soc")
    assert isinstance(unknown, Refused)
    assert unknown.suggestions[0] == "arm/soc"
    assert isinstance(no_version, Refused)
    assert no_version.code == "VERSION_UNKNOWN"
    assert errors_in([soc, unknown]) == [unknown]


def test_more_references_than_a_request_takes_are_split(
    registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ttag.registry.batches.MAX_BATCH", 2)
    results = Registry(registry).resolve_many(["arm/soc"] * 5)
    assert [isinstance(result, Resolution) for result in results] == [True] * 5


def test_nodes_of_many_references_are_exported(registry: str) -> None:
    references = ["nvidia/jetson-nano:cuda@1.2.0", "example/rack:machine@1.0.0"]
    options = ExportOptions(node="/host")
    exports = Registry(registry).export_many(references, "clang", options)
    assert all(isinstance(export, Export) and "-m" in export.text for export in exports)


def test_strict_export_refuses_to_drop(registry: str) -> None:
    with pytest.raises(Refused) as error:
        Registry(registry).export("arm/soc:aot", "clang", ExportOptions(strict=True))
    assert error.value.code == "FORMAT_LOSSY"


def test_recorded_export_names_its_origin(registry: str) -> None:
    export = Registry(registry).export("arm/soc@1.0.0", "tvm", ExportOptions(record=True))
    assert '"tag":"arm/soc@1.0.0"' in export.text


def test_wrong_digest_is_noticed(server: ScriptedServer) -> None:
    changed = {**RESOLUTION, "target": {**TARGET, "mcpu": "skylake"}}
    server.responses = [response(changed)]
    with pytest.raises(Tampered, match="does not have the digest"):
        Registry(server.address).resolve("acme/board")


@pytest.mark.parametrize(
    "sent",
    [
        [],
        {},
        {**RESOLUTION, "target": None},
        {**RESOLUTION, "tuning_keys": 1},
        {**RESOLUTION, "warnings": [1]},
    ],
)
def test_something_else_than_a_resolution_is_noticed(server: ScriptedServer, sent: object) -> None:
    server.responses = [response(sent)]
    with pytest.raises((Unreachable, Tampered)):
        Registry(server.address).resolve("acme/board")


@pytest.mark.parametrize("sent", [{}, {"results": []}, {"results": 1}, []])
def test_batch_without_an_answer_for_each_is_noticed(server: ScriptedServer, sent: object) -> None:
    server.responses = [response(sent)]
    with pytest.raises(Unreachable, match="did not answer each of 2 references"):
        Registry(server.address).resolve_many(["acme/board", "acme/card"])


def test_unchanged_response_is_revalidated(server: ScriptedServer, cached: Registry) -> None:
    server.responses = [response(RESOLUTION, ETag='"x"'), response(b"", 304)]
    assert cached.resolve("acme/board") == cached.resolve("acme/board")
    assert 'If-None-Match: "x"' in server.requests[1]


def test_fresh_response_is_not_requested_again(server: ScriptedServer, cached: Registry) -> None:
    server.responses = [response(RESOLUTION, Cache_Control="public, max-age=300")]
    assert cached.resolve("acme/board") == cached.resolve("acme/board")
    assert len(server.requests) == 1


def test_not_modified_without_a_cached_response_is_noticed(server: ScriptedServer) -> None:
    server.responses = [response(b"", 304)]
    with pytest.raises(Unreachable, match="responded 304"):
        Registry(server.address).resolve("acme/board")


def away(source: Registry, warnings: list[str]) -> Registry:
    """Return the same registry as it looks when nothing listens there."""
    return Registry(source.address, timeout=1, cache=source.cache, warn=warnings.append)


def test_cached_response_is_used_with_a_warning_when_the_registry_is_away(
    server: ScriptedServer, cached: Registry
) -> None:
    server.responses = [response(RESOLUTION), b""]
    online = cached.resolve("acme/board")
    warnings: list[str] = []
    assert away(cached, warnings).resolve("acme/board") == online
    (warning,) = warnings
    assert "closed the connection" in warning
    assert "is used instead" in warning


def test_batch_is_cached_for_the_time_when_the_registry_is_away(
    server: ScriptedServer, cached: Registry
) -> None:
    target = {
        "kind": "llvm",
        "mtriple": "x86_64-linux-gnu",
        "mcpu": "haswell",
        "hardware": {'"': 1},
    }
    line = "--target=x86_64-linux-gnu -march=haswell\n"
    text = {"text": line, "dropped": [{"pointer": '/hardware/"', "reason": ""}]}
    references = ["acme/board", "acme/card"]
    resolutions = [resolution_answer(target, reference) for reference in references]
    server.responses = [response({"results": resolutions}), response({"results": [text, text]})]
    server.responses.append(b"")
    online = cached.export_many(references, "clang")
    warnings: list[str] = []
    assert away(cached, warnings).export_many(references, "clang") == online
    assert away(cached, warnings).export("acme/card", "clang") == online[1]
    assert len(warnings) == 6  # of two requests each, and of two references that can move
    assert sum(" is in the cache as it was on " in warning for warning in warnings) == 2


def test_registry_that_is_away_is_an_error_without_a_cached_response(
    server: ScriptedServer, cached: Registry
) -> None:
    server.responses = [b""]
    with pytest.raises(Unreachable, match="closed the connection"):
        cached.resolve_many(["acme/board", "acme/card"])


def test_refusal_is_not_replaced_by_a_cached_response(
    server: ScriptedServer, cached: Registry
) -> None:
    server.responses = [response(RESOLUTION), problem("TAG_UNKNOWN", 404, "There is no tag.")]
    cached.resolve("acme/board")
    with pytest.raises(Refused):
        cached.resolve("acme/board")


@pytest.mark.parametrize(
    ("reference", "warnings"),
    [
        ("acme/board", ["acme/board is in the cache as it was on 09 September 2001 at "]),
        ("acme/board@1.0.0", []),
    ],
)
def test_offline_the_age_of_an_answer_that_changes_is_told(
    server: ScriptedServer,
    cached: Registry,
    monkeypatch: pytest.MonkeyPatch,
    reference: str,
    warnings: list[str],
) -> None:
    server.responses = [response(RESOLUTION | {"reference": reference})]
    monkeypatch.setattr("ttag.http.cache.time.time", lambda: 1e9)
    cached.resolve(reference)
    told: list[str] = []
    Registry(server.address, cache=cached.cache, offline=True, warn=told.append).resolve(reference)
    assert [sentence[:-6] for sentence in told] == warnings


def test_offline_registry_is_not_asked(server: ScriptedServer, cached: Registry) -> None:
    server.responses = [response(RESOLUTION)]
    online = cached.resolve("acme/board")
    offline = Registry(server.address, cache=cached.cache, offline=True)
    assert offline.resolve("acme/board") == online
    with pytest.raises(NotLocked, match="offline"):
        offline.resolve("acme/card")
    assert len(server.requests) == 1
