"""Which heads of requests are refused, whatever they ask for."""

import pytest

from registry.domain.errors import Code
from registry.server.request_heads import head_refusal
from tests.server.exchanges import Header, SentHeaders, SentScope

HOST: Header = ("host", "localhost")


@pytest.mark.parametrize(
    "headers",
    [
        [HOST],
        [HOST, ("authorization", "Bearer x"), ("accept", "")],
        [HOST, ("accept", "a"), ("accept", "b"), ("x-empty", "")],
        [("host", "evil.example")],  # Django compares it with ALLOWED_HOSTS
    ],
)
def test_other_heads_are_accepted(headers: list[Header]) -> None:
    assert head_refusal(SentScope(headers=SentHeaders(headers))) is None


@pytest.mark.parametrize(
    ("headers", "detail"),
    [
        ([HOST, ("authorization", "Bearer \xff")], "The header authorization has bytes that are"),
        ([HOST, ("authorization", "Bearer é")], "The header authorization has bytes that are not"),
        ([HOST, ("x-b", "\x80"), ("x-a", "\x80")], "The header x-a has bytes that are not ASCII"),
        ([HOST, ("x-a", "\x80"), ("x-b", "1"), ("x-b", "2")], "The header x-a has bytes that are"),
        ([("host", "local\xffhost")], "The header host has bytes that are not ASCII"),
        ([], "The request has no Host"),
        ([("host", "")], "The request has no Host"),
        ([HOST, HOST], "The request has 2 Host headers"),
        ([HOST, ("host", "evil.example")], "The request has 2 Host headers"),
        ([HOST, ("host", ""), HOST], "The request has 3 Host headers"),
    ],
)
@pytest.mark.parametrize("authority", [None, "localhost"])
def test_unreadable_headers_and_other_than_one_host_are_refused(
    headers: list[Header], detail: str, authority: str | None
) -> None:
    """A host in the request line, as proxies get it, does not replace the header."""
    refusal = head_refusal(SentScope(headers=SentHeaders(headers), authority=authority))
    assert refusal
    assert refusal.code == Code.REQUEST_INVALID
    assert refusal.detail.startswith(detail)
    assert ": " in refusal.detail  # what to send instead
