"""Conditional requests: ETags over bytes, and 304."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from registry.http.caching import add_etag

requests = RequestFactory()


def test_same_bytes_have_the_same_strong_etag() -> None:
    one, same, other = (add_etag(requests.get("/"), HttpResponse(text)) for text in "aab")
    assert one["ETag"] == same["ETag"] != other["ETag"]
    assert one["ETag"].startswith('"')


@pytest.mark.parametrize("method", ["get", "head"])
def test_unchanged_bytes_are_not_sent_again(method: str) -> None:
    etag = add_etag(requests.get("/"), HttpResponse("a"))["ETag"]
    request = getattr(requests, method)("/", headers={"If-None-Match": etag})
    response = HttpResponse("a", headers={"Cache-Control": "no-cache", "Vary": "Accept"})
    not_modified = add_etag(request, response)
    assert (not_modified.status_code, not_modified.content) == (304, b"")
    assert not_modified["ETag"] == etag
    assert (not_modified["Cache-Control"], not_modified["Vary"]) == ("no-cache", "Accept")


def test_a_write_and_a_failure_have_no_etag() -> None:
    assert "ETag" not in add_etag(requests.post("/"), HttpResponse("a"))
    assert "ETag" not in add_etag(requests.get("/"), HttpResponse("a", status=201))
