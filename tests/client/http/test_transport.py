"""HTTP against servers that are slow, broken or lie."""

import pytest

from tests.client.scripted_server import CLOSED, ScriptedServer, problem, response, scripted_server
from ttag import Refused, Unreachable
from ttag.errors import ExitCode
from ttag.http.transport import LONGEST_WAIT, Response, Transport

OK = response({"fine": True})
BUSY = response(b"", 503, Retry_After="7")


class Clock:
    """Records how long a client would have waited."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def transport(server: ScriptedServer, clock: Clock) -> Transport:
    return Transport(server.address, token="ttr_secret", timeout=5, sleep=clock.sleep)


def ask(transport: Transport, *, authorized: bool = False, repeatable: bool = True) -> Response:
    return transport.request("GET", "/api/v1/tags", authorized=authorized, repeatable=repeatable)


def test_response_has_status_headers_and_body(server: ScriptedServer, transport: Transport) -> None:
    server.responses = [response({"fine": True}, ETag='"x"')]
    answer = ask(transport)
    assert (answer.status, answer.headers["etag"]) == (200, '"x"')
    assert transport.json(answer) == {"fine": True}
    assert server.requests[0].startswith("GET /api/v1/tags HTTP/1.1\r\n")
    assert "User-Agent: ttag/" in server.requests[0]


def test_token_is_sent_only_where_it_is_needed(
    server: ScriptedServer, transport: Transport
) -> None:
    server.responses = [OK]
    ask(transport)
    ask(transport, authorized=True)
    reading, writing = server.requests
    assert "Authorization" not in reading
    assert "Authorization: Bearer ttr_secret" in writing


def test_printing_shows_no_token(transport: Transport) -> None:
    assert "ttr_secret" not in repr(transport)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (CLOSED, "closed the connection"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not speak HTTP"),
        (OK[:-3], "closed the connection after"),
        (response(b"<html>", 200, "text/html"), "responded with text/html instead of JSON"),
        (response(b"<html>", 500, "text/html"), "responded with status 500"),
        (response(b'{"fine":'), "sent invalid JSON"),
        (response(b"[" * 100_000), "sent invalid JSON"),
        (response([], 404, "application/problem+json"), "not a problem of RFC 9457"),
        (problem("BUSY", 503, "Try again."), "responded with status 503: Try again"),
    ],
)
def test_unusable_response_is_one_sentence_and_exit_code_4(
    server: ScriptedServer, transport: Transport, sent: bytes, sentence: str
) -> None:
    server.responses = [sent]
    with pytest.raises(Unreachable, match=sentence) as error:
        transport.request_json("GET", "/api/v1/tags")
    assert str(server.port) in str(error.value)
    assert error.value.exit_code == ExitCode.UNREACHABLE


def test_closed_port_is_named() -> None:
    with scripted_server() as server:
        address = server.address
    with pytest.raises(Unreachable, match="cannot be reached: Connection refused"):
        ask(Transport(address, sleep=lambda seconds: None))


def test_endless_response_is_given_up(
    monkeypatch: pytest.MonkeyPatch, server: ScriptedServer, transport: Transport
) -> None:
    monkeypatch.setattr("ttag.http.transport.MAX_RESPONSE", 10)
    server.responses = [OK]
    with pytest.raises(Unreachable, match="sent more than 10 bytes"):
        ask(transport)


@pytest.mark.parametrize("first", [CLOSED, response(b"", 502), response(b"", 504), OK[:-3]])
def test_read_is_repeated(
    server: ScriptedServer, transport: Transport, clock: Clock, first: bytes
) -> None:
    server.responses = [first, OK]
    assert ask(transport).status == 200
    assert clock.waits == [0.2]


def test_read_is_repeated_only_so_often(
    server: ScriptedServer, transport: Transport, clock: Clock
) -> None:
    server.responses = [CLOSED]
    with pytest.raises(Unreachable):
        ask(transport)
    assert clock.waits == [0.2, 0.8]


@pytest.mark.parametrize("first", [CLOSED, response(b"", 502), response(b"", 504)])
def test_write_is_not_repeated_when_it_may_have_been_done(
    server: ScriptedServer, transport: Transport, first: bytes
) -> None:
    server.responses = [first, OK]
    with pytest.raises(Unreachable):
        ask(transport, repeatable=False)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_write_is_repeated_when_nothing_was_done(
    server: ScriptedServer, transport: Transport, clock: Clock, status: int
) -> None:
    server.responses = [response(b"", status, Retry_After="7"), OK]
    assert ask(transport, repeatable=False).status == 200
    assert clock.waits == [7]


def test_retry_after_can_be_a_date(
    server: ScriptedServer, transport: Transport, clock: Clock
) -> None:
    past = response(b"", 503, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")
    server.responses = [past, OK]
    assert ask(transport).status == 200
    assert clock.waits == [0]


def test_invalid_retry_after_is_ignored(
    server: ScriptedServer, transport: Transport, clock: Clock
) -> None:
    server.responses = [response(b"", 503, Retry_After="soon"), OK]
    assert ask(transport).status == 200
    assert clock.waits == [0.2]


def test_pauses_are_four_times_as_long_as_an_answer_may_take_in_all(
    server: ScriptedServer, clock: Clock
) -> None:
    transport = Transport(server.address, timeout=5, sleep=clock.sleep)
    server.responses = [response(b"", 503, Retry_After="11"), OK]
    assert ask(transport).status == 200
    server.responses = [response(b"", 503, Retry_After="11")]
    with pytest.raises(Unreachable):
        ask(transport)
    assert clock.waits == [11, 11]


def test_registry_that_wants_a_long_pause_gets_no_second_request(
    server: ScriptedServer, transport: Transport, clock: Clock
) -> None:
    wait = int(LONGEST_WAIT) + 1
    server.responses = [response(b"", 503, Retry_After=str(wait)), OK]
    with pytest.raises(Unreachable):
        ask(transport)
    assert clock.waits == []


def test_problem_becomes_an_error_with_its_code_and_suggestions(
    server: ScriptedServer, transport: Transport
) -> None:
    server.responses = [problem("TAG_UNKNOWN", 404, "There is no tag a/b.", suggestions=["a/c"])]
    with pytest.raises(Refused) as error:
        ask(transport)
    assert str(error.value) == "There is no tag a/b. Did you mean a/c?"
    assert (error.value.code, error.value.exit_code) == ("TAG_UNKNOWN", ExitCode.REFUSED)


@pytest.mark.parametrize("status", [401, 403])
def test_missing_permission_has_an_exit_code_of_its_own(
    server: ScriptedServer, transport: Transport, status: int
) -> None:
    server.responses = [problem("FORBIDDEN", status, "No.")]
    with pytest.raises(Refused) as error:
        ask(transport)
    assert error.value.exit_code == ExitCode.FORBIDDEN


def test_redirect_within_a_host_is_followed(server: ScriptedServer, transport: Transport) -> None:
    moved = response(b"", 302, Location=f"{server.address}/api/v1/moved")
    server.responses = [moved, OK]
    assert ask(transport, authorized=True).status == 200
    assert "Authorization" not in server.requests[1]


def test_redirect_to_another_host_is_not_followed(
    server: ScriptedServer, transport: Transport
) -> None:
    server.responses = [response(b"", 302, Location="http://localhost:9/api/v1/tags")]
    with pytest.raises(Unreachable, match="redirects to http://localhost:9; if that is"):
        ask(transport)


def test_redirect_of_a_write_is_not_followed(server: ScriptedServer, transport: Transport) -> None:
    server.responses = [response(b"", 307, Location=f"{server.address}/elsewhere")]
    with pytest.raises(Unreachable, match="redirects to"):
        transport.request("POST", "/api/v1/versions/a/b", body={})
    assert len(server.requests) == 1


def test_endless_redirects_are_given_up(server: ScriptedServer, transport: Transport) -> None:
    server.responses = [response(b"", 302, Location=f"{server.address}/again")]
    with pytest.raises(Unreachable, match="302"):
        ask(transport)


def test_proxy_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch, server: ScriptedServer
) -> None:
    monkeypatch.setenv("http_proxy", server.address)
    monkeypatch.delenv("no_proxy", raising=False)
    server.responses = [OK]
    assert ask(Transport("http://registry.example.org")).status == 200
    assert server.requests[0].startswith("GET http://registry.example.org/api/v1/tags HTTP/1.1")


@pytest.mark.parametrize("location", ["http://[::1", "//a]b/"])
def test_redirect_to_what_is_no_address_is_one_sentence(
    server: ScriptedServer, transport: Transport, location: str
) -> None:
    server.responses = [response(b"", 302, Location=location)] * 3
    with pytest.raises(Unreachable, match="has no usable address"):
        ask(transport)


@pytest.mark.parametrize(
    "address",
    [f"http://{'a' * 64}.example", "http://registry..example", "http://127.0.0.1:1/\u00e9"],
)
def test_address_of_which_no_url_can_be_made_is_one_sentence(address: str) -> None:
    with pytest.raises(Unreachable, match="has no usable address"):
        Transport(address, timeout=5, sleep=lambda seconds: None).request("GET", "/")
