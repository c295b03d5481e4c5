"""Lists and descriptions of a registry, as Python users read them."""

import pytest

from tests.client.scripted_server import ScriptedServer, response
from ttag.errors import Refused, Tampered, Unreachable
from ttag.registry.registry import Registry
from ttag.responses.tags import Query

ROW = {
    "tag": "acme/board",
    "reference": "acme/board@1.0.0",
    "version": "1.0.0",
    "digest": "sha256:0",
    "kind": "llvm",
    "vendor": None,
    "arch": None,
    "family": None,
    "status": "active",
    "lints": 0,
}


def page(following: str | None) -> bytes:
    """Return a page of a search with one tag."""
    members = {"total": 2, "capped": False, "suggestions": [], "ignored": []}
    return response({"results": [ROW], "next": following, **members})


def test_search_says_why_a_tag_matches(registry: str) -> None:
    query = Query("jetson nano", kind="cuda", where=("/host/mcpu=cortex-a57", "num-cores>=4"))
    found = Registry(registry).search(query)
    assert found.results[0].tag == "nvidia/jetson-nano"
    assert found.results[0].matched[0].words == ("jetson", "nano")


def test_search_reads_as_many_pages_as_the_limit_needs(registry: str) -> None:
    found = Registry(registry).search("", limit=120)
    assert len({tag.tag for tag in found.results}) == 120
    assert found.total > 120


def test_next_page_of_another_host_is_asked_at_the_registry(server: ScriptedServer) -> None:
    server.responses = [page("http://127.0.0.1:9/api/v1/tags?cursor=a%26b"), page(None)]
    assert len(Registry(server.address).search("board").results) == 2
    assert server.requests[1].startswith("GET /api/v1/tags?cursor=a%26b HTTP/1.1")


def test_list_that_leads_back_to_itself_is_noticed(server: ScriptedServer) -> None:
    server.responses = [page("/api/v1/tags?cursor=a")]
    with pytest.raises(Unreachable, match="leads back to itself"):
        Registry(server.address).search("board", limit=50)


@pytest.mark.parametrize("sent", [[], {}, {"results": [1], "next": None}, {"results": None}])
def test_something_else_than_a_list_is_noticed(server: ScriptedServer, sent: object) -> None:
    server.responses = [response(sent)]
    with pytest.raises(Unreachable, match="is not a list of"):
        Registry(server.address).search("board")
    with pytest.raises(Unreachable, match="is not a list of versions"):
        Registry(server.address).versions("acme/board")


def test_versions_come_newest_first(registry: str) -> None:
    versions = Registry(registry).versions("nvidia/jetson-nano@1.0.0")
    assert [version.version for version in versions] == ["1.1.1", "1.1.0", "1.0.0"]


def test_tag_is_found_by_its_alias(registry: str) -> None:
    details = Registry(registry).tag("arm/soc-name:aot")
    assert (details.tag, details.last_published) == ("arm/soc:aot", "1.0.0")


def test_diff_says_which_records_are_kept(registry: str) -> None:
    difference = Registry(registry).diff("nvidia/jetson-nano@1.0.0", "nvidia/jetson-nano@1.1.0")
    assert (difference.bump, difference.same_build) == ("MINOR", False)
    assert [key.new for key in difference.added] == [("/host",)]
    assert difference.lost == ()
    assert difference.changes[0].old is None
    assert difference.changes[0].new is not None
    assert difference.changes[0].new.set_by == "nvidia/jetson-nano@1.1.0"


def test_explanation_names_the_version_that_set_a_value(registry: str) -> None:
    explanation = Registry(registry).explain("arm/soc:aot@1")
    values = {value.pointer: value.set_by for value in explanation.values}
    assert values["/executor/kind"] == "micro/aot@1.0.0"
    assert values["/mcpu"] == "arm/soc@1.0.0"


def test_description_has_the_nodes_with_their_roles(registry: str) -> None:
    description = Registry(registry).describe("example/two-machines@1")
    roles = {node.pointer: node.role for node in description.nodes}
    assert roles[""] == "target"
    assert roles["/devices/machine0/host"] == "host"
    assert roles["/devices/machine1/devices/gpu"] == "device"


def test_described_target_is_verified(registry: str, server: ScriptedServer) -> None:
    source = Registry(registry)
    resolution = {**source.get("/resolve/arm/soc"), "digest": f"sha256:{'0' * 64}"}
    server.responses = [response(source.get("/tags/arm/soc")), response(resolution)]
    with pytest.raises(Tampered):
        Registry(server.address).describe("arm/soc")


def test_unknown_filter_value_has_near_ones(registry: str) -> None:
    with pytest.raises(Refused) as error:
        Registry(registry).search(Query(vendor="nvida"))
    assert error.value.suggestions[0] == "NVIDIA"


def test_offline_registry_is_not_asked_for_lists() -> None:
    offline = Registry("http://127.0.0.1:9", offline=True)
    with pytest.raises(Unreachable, match="ttag is offline"):
        offline.search("board")
