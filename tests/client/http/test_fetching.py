"""Files that may be absent, and requests that need a network."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.client.scripted_server import ScriptedServer, problem, response
from ttag import Refused, Registry, Unreachable
from ttag.http.cache import Cache
from ttag.http.fetching import Fetcher
from ttag.http.transport import Transport
from ttag.mirror.storage import WebServer


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


def test_files_are_revalidated_whatever_their_server_says_of_their_age(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.responses = [
        response(b"old", Cache_Control="max-age=3600"),
        response(b"new", Cache_Control="max-age=3600"),
    ]
    fetcher = Fetcher(Transport(server.address), Cache(tmp_path), has_files=True)
    assert fetcher.find("/index/a.json") == b"old"
    assert fetcher.find("/index/a.json") == b"new"
    assert fetcher.find("/index/a.json", is_immutable=True) == b"new"
    assert len(server.requests) == 2


def test_page_of_a_login_portal_takes_the_place_of_no_file_of_a_mirror(
    server: ScriptedServer, tmp_path: Path
) -> None:
    storage = WebServer(Fetcher(Transport(server.address), Cache(tmp_path), has_files=True))
    server.responses = [
        response(b"{}"),
        response(b"<html>", 200, "text/html", Cache_Control="max-age=3600", ETag='"portal"'),
        response(b"[1]"),
    ]
    assert storage.read("mirror.json") == b"{}"
    with pytest.raises(Unreachable, match=r"mirror\.json is damaged.*: text/html was sent"):
        storage.read("mirror.json")
    offline = replace(storage, fetcher=replace(storage.fetcher, offline=True))
    assert offline.read("mirror.json") == b"{}"
    assert storage.read("mirror.json") == b"[1]"
    assert "portal" not in server.requests[2]
