"""Which versions and aliases a registry has, as its log tells."""

from typing import Any

import pytest

from tests.client.scripted_server import ScriptedServer, response
from ttag import Registry
from ttag.mirror.contents import Contents
from ttag.references import Reference
from ttag_rules.selectors import Selector

OLD, NEW = f"sha256:{'0' * 64}", f"sha256:{'1' * 64}"


def event(number: int, action: str, subject: str, **detail: Any) -> dict[str, Any]:
    return {"number": number, "action": action, "subject": subject, "detail": detail}


@pytest.fixture
def contents() -> Contents:
    """Return what a mirror knows up to event 7."""
    contents = Contents(7)
    contents.versions["acme/board"].add("acme/board@1.0.0")
    contents.aliases["acme/Board"] = Reference("acme/board", Selector(digest=OLD))
    return contents


def update(contents: Contents, server: ScriptedServer, *pages: list[dict[str, Any]]) -> None:
    following = [f"/api/v1/events?after={page[-1]['number']}" for page in pages[:-1]]
    server.responses = [
        response({"results": page, "next": url})
        for page, url in zip(pages, [*following, None], strict=True)
    ]
    contents.update(Registry(server.address), lambda sentence: None)


def test_published_versions_are_added(contents: Contents, server: ScriptedServer) -> None:
    update(
        contents,
        server,
        [event(8, "version.published", "acme/board@1.1.0", bump="MINOR")],
        [event(9, "version.published", "acme/card@1.0.0"), event(11, "namespace.created", "x")],
    )
    assert contents.event == 11
    assert contents.exact_references() == [
        "acme/board@1.0.0",
        "acme/board@1.1.0",
        "acme/card@1.0.0",
    ]
    assert "after=7 " in server.requests[0]
    assert "after=8 " in server.requests[1]


def test_alias_stands_for_what_it_was_pointed_at_last(
    contents: Contents, server: ScriptedServer
) -> None:
    targets = ["acme/board@1", "acme/card"]
    update(
        contents,
        server,
        [event(8 + n, "alias.pointed", "acme/Board", to=to) for n, to in enumerate(targets)],
    )
    assert contents.aliases == {"acme/Board": Reference("acme/card")}


def test_alias_of_a_digest_follows_its_redaction(
    contents: Contents, server: ScriptedServer
) -> None:
    contents.aliases["acme/Card"] = Reference("acme/card")
    update(contents, server, [event(8, "text.redacted", "text", digests={OLD: NEW})])
    assert contents.aliases == {
        "acme/Board": Reference("acme/board", Selector(digest=NEW)),
        "acme/Card": Reference("acme/card"),
    }


def test_without_new_events_nothing_changes(contents: Contents, server: ScriptedServer) -> None:
    update(contents, server, [])
    assert contents.event == 7
    assert contents.exact_references() == ["acme/board@1.0.0"]


def test_other_namespaces_are_forgotten(contents: Contents) -> None:
    contents.keep(["arm"])
    assert (contents.exact_references(), contents.aliases) == ([], {})
