"""Files that may be absent, and requests that need a network."""

import pytest

from tests.client.scripted_server import ScriptedServer, problem, response
from ttag import Refused, Registry, Unreachable
from ttag.http.fetching import Fetcher
from ttag.http.transport import Transport


def test_only_404_means_that_there_is_no_file(server: ScriptedServer) -> None:
    fetcher = Fetcher(Transport(server.address))
    server.responses = [
        problem("TILE_UNKNOWN", 404, "There is no tile."),
        response(b"<html>", 404, "text/html"),
        problem("FORBIDDEN", 403, "Not for you."),
    ]
    assert fetcher.find("/log/keys") is None
    assert fetcher.find("/log/keys") is None
    with pytest.raises(Refused, match="Not for you"):
        fetcher.find("/log/keys")


def test_offline_nothing_is_sent(server: ScriptedServer) -> None:
    registry = Registry(server.address, offline=True)
    with pytest.raises(Unreachable, match="but ttag is offline"):
        registry.get("/tags")
    with pytest.raises(Unreachable, match="but ttag is offline"):
        registry.post("/check", {})
    assert server.requests == []
