"""Answers from memory are those of the long way, byte for byte, and only while they are true."""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from pytest_django.fixtures import Settings

from registry.http.access_log import Answer
from registry.http.names import ANSWER_TAGS, ROUTE
from registry.models import Name, Version
from registry.server import kept_answers, memory as module
from registry.server.application import Application
from registry.server.memory import LONG_WAY, OVERHEAD, Memory
from registry.server.revisions import Revision
from registry.server.wsgi_calls import Environ, Response, call, environ
from registry.services.core import usage
from registry.services.versions.exporting import EXPORT_FORMATS
from registry.wsgi import application as registry_wsgi
from tests.profiles import is_thorough
from tests.server.exchanges import Header, SentExchange, SentHeaders, SentScope

HOST: Header = ("host", "127.0.0.1:8000")
CLIENTS = {  # the default headers of clients
    "curl": [HOST, ("user-agent", "curl/8.5.0"), ("accept", "*/*")],
    "requests": [
        HOST,
        ("user-agent", "python-requests/2.32.3"),
        ("accept-encoding", "gzip, deflate"),
        ("accept", "*/*"),
        ("connection", "keep-alive"),
    ],
    "urllib": [
        ("accept-encoding", "identity"),
        HOST,
        ("user-agent", "Python-urllib/3.11"),
        ("connection", "close"),
    ],
}
PATH = "/api/v1/resolve/acme/board"
REQUESTS = 100  # of 10,000
ANSWER = Response(200, [("ETag", '"1"'), ("X-Request-ID", "abc")], b"{}")
ENVIRON = {ROUTE: "api/v1/resolve/<reference:reference>"}


class Changes:
    """Changes of tags that tests make."""

    def __init__(self) -> None:
        self.tags: list[frozenset[str] | None] = []
        self.is_known = True

    def add(self, *tags: str) -> None:
        """Change some tags."""
        self.tags.append(frozenset(tags))

    def add_unknown(self) -> None:
        """Change tags that nobody can name."""
        self.tags.append(None)

    def current(self) -> Revision | None:
        return Revision(1, len(self.tags)) if self.is_known else None

    def changed_tags(self, before: Revision, after: Revision) -> frozenset[str] | None:
        changes = self.tags[before.number : after.number]
        if None in changes:
            return None
        return frozenset().union(*filter(None, changes))


@dataclass(frozen=True)
class Record:
    """An answer that was given."""

    answer: Answer
    address: str
    request_id: str
    seconds: float


class Records(list[Record]):
    """Records of answers that tests read."""

    is_full = False

    def add(self, answer: Answer, address: str, request_id: str, seconds: float) -> None:
        self.append(Record(answer, address, request_id, seconds))

    def close(self) -> None:
        """Nothing waits."""


def get(path: str = PATH, *headers: Header, query: str = "", method: str = "GET") -> SentScope:
    return SentScope(method, path, query, SentHeaders([HOST, *headers]))


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def records() -> Records:
    return Records()


@pytest.fixture
def memory(changes: Changes, records: Records) -> Memory:
    return Memory(changes, records, max_bytes=2**20)


def keep(memory: Memory, scope: SentScope, response: Response = ANSWER, **variables: Any) -> None:
    """Keep a response as the answer to a request, which must not be in memory."""
    keep = memory(scope)
    assert callable(keep)
    keep(response, ENVIRON | variables)


def body(memory: Memory, scope: SentScope) -> bytes | None:
    """Return the body of the answer from memory, if there is one."""
    found = memory(scope)
    return found.body if isinstance(found, Response) else None


# The answers


@pytest.fixture
def database(db: None) -> Iterator[None]:
    """Keep the connection of the test open after each request, as Django's test client does."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def long_way(scope: SentScope) -> tuple[Response, Environ]:
    variables = environ(scope, b"")
    return call(registry_wsgi, variables), variables


def without_id(response: Response) -> Response:
    headers = [(name, "" if name == "X-Request-ID" else value) for name, value in response.headers]
    return Response(response.status, headers, response.body)


def paths() -> Iterator[tuple[str, str]]:
    """Yield path and query of every name and version of the catalogue, in all its spellings."""
    for text in Name.objects.order_by("text").values_list("text", flat=True):
        for query in ["", *(f"format={name}" for name in EXPORT_FORMATS)]:
            yield f"/api/v1/resolve/{text}", query
    for version in Version.objects.select_related("tag").order_by("pk"):
        tag, number = version.tag.text, version.number
        for selector in (number.major, f"{number.major}.{number.minor}", number, version.digest):
            yield f"/api/v1/resolve/{tag}@{selector}", ""
        yield f"/api/v1/digests/{version.digest}", ""


def share(client: str) -> list[tuple[str, str]]:
    """Return the paths that a client requests: some of its own, with --thorough all."""
    every = list(paths())
    chosen = random.Random(client)  # noqa: S311 - examples, not secrets
    return every if is_thorough() else chosen.sample(every, REQUESTS)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("client", CLIENTS)
def test_answer_from_memory_is_that_of_the_long_way(client: str, memory: Memory) -> None:
    kept = 0
    for path, query in share(client):
        scope = SentScope("GET", path, query, SentHeaders(CLIENTS[client]))
        way = memory(scope)
        if isinstance(way, Response):  # the same text, as with format=json
            continue
        response, variables = long_way(scope)
        assert callable(way)
        way(response, variables)
        answer = memory(scope)
        assert isinstance(answer, Response) == (response.status == 200), path
        if isinstance(answer, Response):
            kept += 1
            assert without_id(answer) == without_id(response)
    assert kept > REQUESTS // 4


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("accept", [form.media_type for form in EXPORT_FORMATS.values()])
def test_accept_selects_the_format_that_the_long_way_selects(accept: str, memory: Memory) -> None:
    scope = get("/api/v1/resolve/raspberry-pi/4b-aarch64", ("accept", accept))
    response, variables = long_way(scope)
    keep(memory, scope, response, **variables)
    (name,) = [form.name for form in EXPORT_FORMATS.values() if form.media_type == accept]
    found = memory(get(scope.path, query=f"format={name}"))
    assert isinstance(found, Response) == (response.status == 200), "no GPU, no options for one"
    if isinstance(found, Response):
        assert without_id(found) == without_id(long_way(get(scope.path, query=f"format={name}"))[0])


# Which requests it answers


def test_answer_is_kept_and_given_again(memory: Memory) -> None:
    keep(memory, get())
    assert body(memory, get()) == b"{}"
    assert body(memory, get(method="HEAD")) == b"{}"  # the server leaves it out
    assert callable(memory(get("/api/v1/resolve/acme/other")))
    assert callable(memory(get(query="format=tvm")))


def test_every_answer_has_a_request_id_of_its_own(memory: Memory) -> None:
    keep(memory, get())
    answers = [memory(get()) for _ in range(2)]
    ids = {dict(answer.headers)["X-Request-ID"] for answer in answers if answer}  # type: ignore[union-attr] # responses
    assert len(ids) == 2
    assert "abc" not in ids


@pytest.mark.parametrize("name", sorted(LONG_WAY))
def test_request_with_other_conditions_goes_the_long_way(name: str, memory: Memory) -> None:
    keep(memory, get())
    assert memory(get(PATH, (name, "x"))) is None


@pytest.mark.parametrize(
    "scope",
    [
        get(method="POST"),
        get(method="OPTIONS"),
        get("/api/v1/explain/acme/board"),
        get("/tags/acme/board"),
        get(query="node=/host"),
        get(query="format=json&strict=1"),
        get(query="format=nonsense"),
        get(query="format=%6ason"),
        get(PATH, ("accept", "application/json, */*")),
        get(PATH, ("accept", "application/json;q=0.5")),
        get(PATH, ("accept", "*/*"), ("accept", "*/*")),
        get("/api/v1/digests/sha256:0", query="format=target"),
        get(PATH, HOST),
        SentScope("GET", PATH, headers=SentHeaders([("host", "evil.example")])),
        SentScope("GET", PATH, headers=SentHeaders([])),
        SentScope("GET", PATH, headers=SentHeaders([]), authority="127.0.0.1:8000"),
        SentScope("GET", PATH, headers=SentHeaders([HOST, HOST])),
        SentScope("GET", PATH, headers=SentHeaders([HOST]), authority="evil.example"),
    ],
)
def test_other_requests_go_the_long_way(scope: SentScope, memory: Memory) -> None:
    assert memory(scope) is None


@pytest.mark.parametrize("name", ["authorization", "forwarded", "accept", "user-agent", "x-other"])
@pytest.mark.parametrize("repeated", [(), (("x-a", "1"), ("x-a", "2"))])
def test_unreadable_headers_are_not_answered_from_memory(
    name: str, repeated: tuple[Header, ...], memory: Memory
) -> None:
    """Their readable lines can be those of a request that was answered from memory before."""
    keep(memory, get(PATH, *repeated))
    assert body(memory, get(PATH, *repeated)) == b"{}"
    assert memory(get(PATH, *repeated, (name, "\xff"))) is None


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("accept", [None, "", "*/*"])
def test_no_accept_and_an_empty_one_select_json_on_both_ways(
    accept: str | None, memory: Memory
) -> None:
    headers = [] if accept is None else [("accept", accept)]
    sent = get("/api/v1/resolve/raspberry-pi/4b-aarch64", *headers)
    response, variables = long_way(sent)
    assert dict(response.headers)["Content-Type"] == "application/json"
    keep(memory, sent, response, **variables)
    answer = memory(sent)
    assert isinstance(answer, Response)
    assert without_id(answer) == without_id(response)


def test_head_is_answered_but_never_kept(memory: Memory) -> None:
    assert memory(get(method="HEAD")) is None


@pytest.mark.parametrize("status", [301, 400, 404, 410, 500, 503])
def test_misses_and_errors_are_not_kept(status: int, memory: Memory) -> None:
    keep(memory, get(), ANSWER._replace(status=status))
    assert callable(memory(get()))


def test_response_that_sets_a_cookie_is_not_kept(memory: Memory) -> None:
    keep(memory, get(), ANSWER._replace(headers=[*ANSWER.headers, ("Set-Cookie", "a=b")]))
    assert callable(memory(get()))


def test_response_with_a_repeated_header_is_not_kept(memory: Memory) -> None:
    keep(memory, get(), ANSWER._replace(headers=[*ANSWER.headers, *ANSWER.headers]))
    assert callable(memory(get()))


def test_large_response_is_not_kept(memory: Memory) -> None:
    keep(memory, get(), ANSWER._replace(body=bytes(128 * 1024)))
    assert callable(memory(get()))


# Conditional requests

NOT_MODIFIED = ANSWER._replace(status=304, body=b"")


def test_304_is_kept_for_the_same_condition(memory: Memory) -> None:
    matching = get(PATH, ("if-none-match", '"1"'))
    keep(memory, matching, NOT_MODIFIED)
    assert memory(matching).status == 304  # type: ignore[union-attr] # a response
    assert callable(memory(get()))
    assert callable(memory(get(PATH, ("if-none-match", '"1", "2"'))))


@pytest.mark.parametrize("condition", ['"1"', 'W/"1"', '"0", "1"', "*"])
def test_whole_answer_does_not_decide_whether_a_condition_matches(
    condition: str, memory: Memory
) -> None:
    keep(memory, get())
    assert callable(memory(get(PATH, ("if-none-match", condition))))


def test_condition_that_cannot_match_gets_the_whole_answer(memory: Memory) -> None:
    outdated = get(PATH, ("if-none-match", '"0"'))
    keep(memory, outdated)
    assert body(memory, get()) == b"{}"
    assert body(memory, outdated) == b"{}"


# Truth

OTHER = "/api/v1/resolve/acme/other"
MADE_FROM_BASE: dict[str, Any] = {ANSWER_TAGS: frozenset({"acme/board", "acme/base"})}


@pytest.mark.parametrize("tag", ["acme/board", "acme/base"])
def test_answer_is_forgotten_when_one_of_its_tags_changes(
    tag: str, memory: Memory, changes: Changes
) -> None:
    keep(memory, get(), **MADE_FROM_BASE)
    assert body(memory, get()) == body(memory, get()) == b"{}"
    changes.add("acme/elsewhere", tag)
    assert callable(memory(get()))


def test_answer_stays_while_other_tags_change(memory: Memory, changes: Changes) -> None:
    keep(memory, get(), **MADE_FROM_BASE)
    for _ in range(3):
        changes.add("acme/elsewhere", "acme/boar", "acme")
        assert body(memory, get()) == b"{}"


def test_answer_that_any_tag_can_change_is_forgotten_with_every_change(
    memory: Memory, changes: Changes
) -> None:
    keep(memory, get())
    changes.add("acme/elsewhere")
    assert callable(memory(get()))


def test_unknown_change_forgets_all_answers(memory: Memory, changes: Changes) -> None:
    keep(memory, get(), **MADE_FROM_BASE)
    assert body(memory, get()) == b"{}"
    changes.add_unknown()
    assert callable(memory(get()))


def test_repeated_request_is_answered_anew_after_a_change(memory: Memory, changes: Changes) -> None:
    keep(memory, get(), **MADE_FROM_BASE)
    keep(memory, get(OTHER), ANSWER, **{ANSWER_TAGS: frozenset({"acme/other"})})
    for _ in range(2):
        assert body(memory, get()) == body(memory, get(OTHER)) == b"{}"
    changes.add("acme/base")
    keep(memory, get(), ANSWER._replace(body=b"[]"), **MADE_FROM_BASE)
    for _ in range(2):
        assert body(memory, get()) == b"[]"
        assert body(memory, get(OTHER)) == b"{}"


@pytest.mark.parametrize("tags", [("acme/board",), ("acme/other", "acme/base")])
def test_answer_that_a_change_overtook_is_not_kept(
    tags: tuple[str, ...], memory: Memory, changes: Changes
) -> None:
    late = memory(get())
    changes.add(*tags)
    keep(memory, get(OTHER))
    assert callable(late)
    late(ANSWER, ENVIRON | MADE_FROM_BASE)
    assert callable(memory(get()))


def test_answer_that_changes_of_other_tags_overtook_is_kept(
    memory: Memory, changes: Changes
) -> None:
    late = memory(get())
    changes.add("acme/elsewhere")
    keep(memory, get(OTHER))
    assert callable(late)
    late(ANSWER, ENVIRON | MADE_FROM_BASE)
    assert body(memory, get()) == b"{}"


@pytest.mark.parametrize("tags", [None, frozenset({"acme/board"})])
def test_answer_that_an_unknown_change_overtook_is_not_kept(
    tags: frozenset[str] | None, memory: Memory, changes: Changes
) -> None:
    late = memory(get())
    changes.add_unknown()
    keep(memory, get(OTHER))
    assert callable(late)
    late(ANSWER, ENVIRON | {ANSWER_TAGS: tags})
    assert callable(memory(get()))


def test_answer_that_any_tag_can_change_is_not_kept_if_overtaken(
    memory: Memory, changes: Changes
) -> None:
    late = memory(get())
    changes.add("acme/elsewhere")
    keep(memory, get(OTHER))
    assert callable(late)
    late(ANSWER, ENVIRON)
    assert callable(memory(get()))


def test_changes_of_many_tags_are_not_remembered_for_late_answers(
    memory: Memory, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_answers, "MAX_CHANGED", 3)
    late = memory(get())
    for number in range(5):
        changes.add(f"acme/{number}")
        memory(get(OTHER))
    assert callable(late)
    late(ANSWER, ENVIRON | MADE_FROM_BASE)
    assert callable(memory(get()))


def test_unknown_revision_sends_all_requests_the_long_way(memory: Memory, changes: Changes) -> None:
    keep(memory, get())
    changes.is_known = False
    assert memory(get()) is None
    changes.is_known = True
    assert body(memory, get()) == b"{}"


def test_what_memory_could_answer_is_counted(
    memory: Memory, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(module.metrics, "count_lookups", counted.append)
    keep(memory, get())
    body(memory, get())  # counted with its record
    memory(get("/tags/acme/board"))
    changes.is_known = False
    memory(get())
    assert counted == ["miss", "unknown"]


# Memory


def test_least_recently_used_answers_make_room(changes: Changes, records: Records) -> None:
    memory = Memory(changes, records, max_bytes=3 * (OVERHEAD + 1100))
    large = ANSWER._replace(body=bytes(1000))
    scopes = [get(f"/api/v1/resolve/acme/board{number}") for number in range(4)]
    for scope in scopes[:3]:
        keep(memory, scope, large)
    assert body(memory, scopes[0])
    keep(memory, scopes[3], large)
    assert [bool(body(memory, scope)) for scope in scopes] == [True, False, True, True]


def test_answer_that_is_kept_twice_takes_its_memory_once(
    changes: Changes, records: Records
) -> None:
    memory = Memory(changes, records, max_bytes=2 * (OVERHEAD + 1100))
    large = ANSWER._replace(body=bytes(1000))
    both = [memory(get()) for _ in range(2)]
    for way in both:
        assert callable(way)
        way(large, ENVIRON)
    keep(memory, get("/api/v1/resolve/acme/other"), large)
    assert body(memory, get())


def test_repeated_request_keeps_no_answer_that_made_room(
    changes: Changes, records: Records
) -> None:
    memory = Memory(changes, records, max_bytes=OVERHEAD + 1100)
    large = ANSWER._replace(body=bytes(1000))
    keep(memory, get(), large)
    assert body(memory, get()) == body(memory, get()) == large.body
    keep(memory, get("/api/v1/resolve/acme/other"), large)
    assert body(memory, get()) is None


def test_long_heads_are_answered_but_not_remembered(memory: Memory) -> None:
    keep(memory, get())
    for agent in ("curl", "a" * module.MAX_REPEATED_HEAD):
        assert body(memory, get(PATH, ("user-agent", agent))) == b"{}"
    assert len(memory.answers._repeated) == 1


def test_number_of_remembered_requests_is_bounded(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_answers, "MAX_REPEATED", 3)
    keep(memory, get())
    for agent in range(10):
        assert body(memory, get(PATH, ("user-agent", str(agent)))) == b"{}"
        assert len(memory.answers._repeated) <= 3


def test_conditions_count_as_memory(changes: Changes, records: Records) -> None:
    memory = Memory(changes, records, max_bytes=2 * OVERHEAD)
    long = get(PATH, ("if-none-match", '"1"' + " " * 2 * OVERHEAD))
    keep(memory, long, NOT_MODIFIED)
    assert callable(memory(long))


# Proxies


def test_behind_a_proxy_http_and_https_have_answers_of_their_own(
    memory: Memory, settings: Settings
) -> None:
    settings.PROXIES = 1
    secure = get(PATH, ("forwarded", "for=192.0.2.7;proto=https"))
    keep(memory, secure)
    assert body(memory, secure) == b"{}"
    assert callable(memory(get()))


def test_behind_a_proxy_its_request_id_and_address_are_used(
    memory: Memory, records: Records, settings: Settings
) -> None:
    settings.PROXIES = 1
    keep(memory, get())
    answer = memory(get(PATH, ("forwarded", "for=192.0.2.7"), ("x-request-id", "abcdefgh")))
    assert dict(answer.headers)["X-Request-ID"] == "abcdefgh"  # type: ignore[union-attr] # a response
    assert (records[0].address, records[0].request_id) == ("192.0.2.7", "abcdefgh")


def test_without_a_proxy_its_headers_are_ignored(memory: Memory, records: Records) -> None:
    keep(memory, get())
    answer = memory(get(PATH, ("forwarded", "for=192.0.2.7"), ("x-request-id", "abcdefgh")))
    assert dict(answer.headers)["X-Request-ID"] != "abcdefgh"  # type: ignore[union-attr] # a response
    assert records[0].address == "192.0.2.1"


# Records


def test_answers_are_recorded(memory: Memory, records: Records) -> None:
    path = "/api/v1/resolve/acme/a,b"
    keep(memory, get(path), ANSWER, **{usage.RESOLVED_TAG: "acme/ab"})
    memory(get(path))
    memory(get(path, method="HEAD"))
    route = "api/v1/resolve/<reference:reference>"
    assert [astuple(record.answer) for record in records] == [
        ("GET", path, route, "acme/ab", 200, 2),
        ("HEAD", path, route, "", 200, 0),  # not counted as usage, and without a body
    ]


def test_while_nobody_reads_the_log_requests_go_the_long_way(
    memory: Memory, records: Records
) -> None:
    keep(memory, get())
    records.is_full = True
    assert memory(get()) is None
    records.is_full = False
    assert body(memory, get()) == b"{}"


# With the application


def test_application_keeps_what_django_answered(memory: Memory) -> None:
    calls: list[Environ] = []

    def wsgi(variables: Environ, start_response: Any) -> Any:
        calls.append(variables)
        variables.update(ENVIRON)
        start_response("200 OK", ANSWER.headers)
        return [ANSWER.body]

    async def send() -> list[SentExchange]:
        app = Application(wsgi, shortcut=memory)
        exchanges = [SentExchange() for _ in range(3)]
        for exchange in exchanges:
            await app.__rsgi__(get(), exchange)
        return exchanges

    exchanges = asyncio.run(send())
    assert [exchange.body for exchange in exchanges] == [b"{}"] * 3
    assert len(calls) == 1
