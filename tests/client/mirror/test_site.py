"""A registry for another site: two real servers, of which the second has a mirror of the first."""

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from django.test import RequestFactory

from registry.api.core.negotiation import negotiate_format
from tests.client.log.fake_registry import FakeRegistry, served
from tests.client.mirror.test_following import following, wait_until
from tests.client.publisher import HASWELL, MAJOR, MINOR, Publisher
from tests.patience import PATIENCE
from ttag import Refused, Registry, Unreachable
from ttag.errors import TtagError
from ttag.log.history import History
from ttag.mirror.following import Follower
from ttag.mirror.questions import preferred_format
from ttag.mirror.site import Site
from ttag.mirror.site_server import MAX_BODY, serving

FORMATS = ("clang", "tvm")


@dataclass
class Pair:
    """The address of a registry, and that of the site that mirrors it."""

    first: Publisher
    second: str
    follower: Follower

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> HTTPResponse:
        """Send a request to the site, and return its response; the body is in `response.body`."""
        host = self.second.removeprefix("http://")
        connection = HTTPConnection(host, timeout=PATIENCE)
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        response.body = response.read()  # type: ignore[attr-defined] # so that it can be closed
        connection.close()
        return response


@pytest.fixture(scope="module")
def pair(publisher: Publisher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    root = tmp_path_factory.mktemp("site")
    follower = Follower(Registry(publisher.address), root, formats=FORMATS)
    with serving(Site(follower), "127.0.0.1", 0) as port, following(follower):
        yield Pair(publisher, f"http://127.0.0.1:{port}", follower)


def document(response: HTTPResponse) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(response.body)  # type: ignore[attr-defined] # see above
    return parsed


def test_second_registry_answers_what_the_first_does(pair: Pair) -> None:
    first, second = Registry(pair.first.address), Registry(pair.second)
    tag = pair.first.new_tag(HASWELL, MINOR, MAJOR)
    pair.first.yank(f"{tag}@2.0.0", "a test")
    pair.first.point("acme/Alias", f"{tag}@1")
    pair.follower.look_now(30)
    digest = first.resolve(tag).digest
    references = [tag, f"{tag}@1", f"{tag}@1.0.0", f"{tag}@2.0.0", "acme/Alias", "arm/soc:aot"]
    references += [f"{tag}@{digest}", "arm/soc:aot#/host"]
    for reference in references:
        assert outcome(second, reference) == outcome(first, reference)
        for form in (*FORMATS, "target"):
            assert outcome(second, reference, form) == outcome(first, reference, form)
    assert second.resolve_many(references[:6]) == first.resolve_many(references[:6])
    assert second.export_many(references[:6], "clang") == first.export_many(references[:6], "clang")


def outcome(registry: Registry, reference: str, form: str = "json") -> object:
    try:
        export = registry.export(reference, form)
    except Refused as error:
        return error.code
    except TtagError as error:
        return type(error)
    return export.text, export.dropped


def test_members_and_headers_are_those_of_the_first_but_for_what_mirrors_lack(pair: Pair) -> None:
    tag = pair.first.new_tag(HASWELL)
    pair.follower.look_now(30)
    ours = pair.request("GET", f"/api/v1/resolve/{tag}@1.0.0")
    theirs = Registry(pair.first.address).get(f"/resolve/{tag}@1.0.0")
    assert set(theirs) - set(document(ours)) == {"dependencies", "lints"}
    assert document(ours) == {name: theirs[name] for name in document(ours)}
    assert ours.headers["Cache-Control"] == "public, max-age=300"
    floating = pair.request("GET", f"/api/v1/resolve/{tag}")
    assert floating.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
    again = pair.request(
        "GET", f"/api/v1/resolve/{tag}", **{"If-None-Match": floating.headers["ETag"]}
    )
    assert (again.status, again.body) == (304, b"")  # type: ignore[attr-defined] # see above
    digest = document(ours)["digest"]
    target = pair.request("GET", f"/api/v1/digests/{digest}")
    assert document(target) == document(ours)["target"]
    head = pair.request("HEAD", f"/api/v1/resolve/{tag}")
    assert head.headers["Target-Version"] == "1.0.0"
    assert head.body == b""  # type: ignore[attr-defined] # see above


def test_every_response_names_the_first_and_its_age(pair: Pair) -> None:
    paths = ("/api/v1/resolve/arm/soc:aot", "/api/v1/resolve/acme/nothing", "/readyz", "/")
    for path in paths:
        headers = pair.request("GET", path).headers
        assert headers["Registry-Upstream"] == pair.first.address
        assert int(headers["Age"]) < 30
    upstream = document(pair.request("GET", "/readyz"))["upstream"]
    assert upstream["address"] == pair.first.address
    assert upstream["event"] > 0
    assert upstream["problem"] is None
    metrics = pair.request("GET", "/metrics").body.decode()  # type: ignore[attr-defined] # see above
    assert "\nregistry_mirror_age_seconds " in metrics
    assert "\nregistry_mirror_full_runs_total 1.0\n" in metrics


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1/versions/acme/board"),
        ("POST", "/api/v1/yank/acme/board@1.0.0"),
        ("PUT", "/api/v1/aliases/acme/Board"),
        ("DELETE", "/api/v1/anything"),
        ("POST", "/api/v1/check"),
    ],
)
def test_writes_are_refused_with_the_address_that_takes_them(
    pair: Pair, method: str, path: str
) -> None:
    response = pair.request(method, path, {"target": HASWELL})
    assert response.status == 405
    assert response.headers["Allow"] == "GET, HEAD"
    assert document(response)["code"] == "READ_ONLY"
    assert (
        f"a mirror of {pair.first.address}, which takes no writes" in document(response)["detail"]
    )


def test_what_mirrors_do_not_hold_is_at_the_first(pair: Pair) -> None:
    for path in ("/api/v1/tags?q=arm", "/arm", "/api/v1/events"):
        response = pair.request("GET", path)
        assert response.status == 307
        assert response.headers["Location"] == f"{pair.first.address}{path}"
    assert Registry(pair.second).search("arm soc").results, "redirects within a host are followed"


def test_name_that_was_just_published_is_asked_for_at_once(pair: Pair) -> None:
    for _ in range(3):
        tag = pair.first.new_tag(HASWELL)
        assert Registry(pair.second).resolve(tag).version == "1.0.0"
    with pytest.raises(Refused) as refused:
        Registry(pair.second).resolve("acme/never")
    assert refused.value.code == "TAG_UNKNOWN"


def test_log_of_the_second_is_that_of_the_first(pair: Pair) -> None:
    pair.first.new_tag(HASWELL)
    pair.follower.look_now(30)
    first = History.open(Registry(pair.first.address).open_log())
    second = History.open(Registry(pair.second).open_log())
    assert first
    assert second
    second.require_growth(first.known("first"))
    assert second.tree == first.tree


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/log/../mirror.json", 307),
        ("/api/v1/log/%2e%2e/mirror.json", 307),
        ("/api/v1/log/tile/0/999", 404),
        (f"/api/v1/digests/sha256:{'0' * 64}", 404),
        ("/api/v1/digests/../../mirror.json", 307),
        ("/api/v1/log/tile/../../mirror.json", 307),
        ("@example.org", 400),
        ("/api/v1/resolve/UPPER!", 400),
        ("/api/v1/resolve/arm/soc:aot?format=cobol", 406),
    ],
)
def test_what_is_no_file_of_the_mirror_is_not_served(pair: Pair, path: str, status: int) -> None:
    response = pair.request("GET", path)
    assert response.status == status
    assert b'"notices"' not in response.body  # type: ignore[attr-defined] # see above


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"references": 3}', b" " * (MAX_BODY + 1)])
def test_unusable_bodies_are_refused(pair: Pair, body: bytes) -> None:
    response = pair.request("POST", "/api/v1/resolve", body)
    assert (response.status, document(response)["code"]) == (400, "REQUEST_INVALID")
    assert pair.request("GET", "/healthz").status == 200


def test_second_goes_on_while_the_first_is_away(tmp_path: Path) -> None:
    fake = FakeRegistry()
    fake.publish("acme/board")
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(served(fake))
        follower = Follower(Registry(fake.address, timeout=1.0), tmp_path, interval=0.2)
        port = second.enter_context(serving(Site(follower), "127.0.0.1", 0))
        second.enter_context(following(follower))
        site = Registry(f"http://127.0.0.1:{port}", timeout=5.0)
        assert site.resolve("acme/board").version == "1.0.0"
        first.close()
        wait_until(lambda: bool(follower.freshness.problem))
        assert site.resolve("acme/board").version == "1.0.0"
        with pytest.raises(Unreachable, match="cannot be asked now, and was last asked") as away:
            site.resolve("acme/other")
        assert fake.address in str(away.value)
        pair = Pair(Publisher(fake.address, ""), f"http://127.0.0.1:{port}", follower)
        readiness = document(pair.request("GET", "/readyz"))
        assert readiness["ready"]
        assert "Connection refused" in readiness["upstream"]["problem"]
        age = readiness["upstream"]["age"]
        wait_until(lambda: document(pair.request("GET", "/readyz"))["upstream"]["age"] > age + 0.5)


CLANG, TVM = "text/vnd.target-tag-registry.clang", "application/vnd.target-tag-registry.tvm+json"


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", "json"),
        ("*/*", "json"),
        ("application/*", "json"),
        (CLANG, "clang"),
        ("Text/Vnd.Target-Tag-Registry.Clang;q=0.1", "clang"),
        ("text/x-cmake", "cmake"),
        (f"{CLANG}, {TVM}", "clang"),
        (f"{CLANG};q=0.5, {TVM};q=0.8", "tvm"),
        (f"{CLANG};q=0, {TVM};q=0.001", "tvm"),
        (f"*/*, {CLANG}", "clang"),
        (f"{CLANG}, {TVM};level=1", "tvm"),
        (f"text/html, image/png;q=0.9, {TVM};q=0.1", "tvm"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"),
    ],
)
def test_accept_selects_the_format_as_in_the_registry(accept: str, form: str) -> None:
    assert preferred_format(accept) == form
    if form != "cmake":
        assert negotiate_format(RequestFactory().get("/", headers={"Accept": accept})).name == form


@pytest.mark.parametrize(
    "accept", ["text/html", "image/png", "application/json;q=0", ",", "json", "text/*", "*"]
)
def test_accept_of_something_else_is_refused(accept: str) -> None:
    with pytest.raises(Refused, match="names no format: write format=NAME instead") as refused:
        preferred_format(accept)
    assert (refused.value.code, refused.value.status) == ("FORMAT_UNKNOWN", 406)


def test_second_reads_accept_only_where_no_format_is_named(pair: Pair) -> None:
    path = "/api/v1/resolve/arm/soc"
    flags = pair.request("GET", f"{path}?format=clang")
    response = pair.request("GET", path, accept=CLANG)
    assert (response.body, response.headers["Vary"]) == (flags.body, "Accept")  # type: ignore[attr-defined] # see above
    assert pair.request("GET", f"{path}?format=clang", accept="image/png").status == 200
    assert document(pair.request("GET", path, accept="image/png"))["code"] == "FORMAT_UNKNOWN"
    assert document(pair.request("GET", path, accept="text/x-cmake"))["code"] == "NOT_MIRRORED"


def test_second_without_a_mirror_is_not_ready(tmp_path: Path) -> None:
    follower = Follower(Registry("http://127.0.0.1:9", timeout=1.0), tmp_path)
    with serving(Site(follower), "127.0.0.1", 0) as port:
        pair = Pair(Publisher("http://127.0.0.1:9", ""), f"http://127.0.0.1:{port}", follower)
        response = pair.request("GET", "/readyz")
        assert response.status == 503
        assert document(response)["problems"] == ["there is no mirror of http://127.0.0.1:9 yet"]
        assert "Age" not in response.headers
        digest = f"sha256:{'0' * 64}"
        for path in ("resolve/acme/board", f"digests/{digest}", "log/checkpoint", "log/keys"):
            response = pair.request("GET", f"/api/v1/{path}")
            assert (response.status, document(response)["code"]) == (503, "BEHIND"), path
        with pytest.raises(Unreachable):
            History.open(Registry(pair.second, timeout=1.0).open_log())


def test_what_is_not_verified_is_not_served(tmp_path: Path) -> None:
    fake = FakeRegistry()
    fake.publish("acme/board")
    with served(fake):
        follower = Follower(Registry(fake.address), tmp_path)
        with serving(Site(follower), "127.0.0.1", 0) as port, following(follower):
            site = Site(follower)
            (digest,) = (tmp_path / "digests" / "sha256").iterdir()
            digest.write_text('{"kind":"llvm"}')
            answer = site.answer("GET", "/api/v1/resolve/acme/board")
            assert answer.status == 500
            assert b"does not have its digest" in answer.body
            assert port
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("format=clang", 200, ""),
        ("format=clang&strict=0", 200, ""),
        ("format=clang&strict=1", 406, "FORMAT_LOSSY"),
        ("format=clang&strict=true", 400, "REQUEST_INVALID"),
        ("format=tvm&record=0", 200, ""),
        ("format=tvm&record=1", 406, "NOT_MIRRORED"),
        ("format=clang&format=tvm", 400, "REQUEST_INVALID"),
        ("fromat=clang", 400, "REQUEST_INVALID"),
    ],
)
def test_no_option_of_an_export_is_ignored(pair: Pair, query: str, status: int, code: str) -> None:
    response = pair.request("GET", f"/api/v1/resolve/arm/soc:aot@1.0.0?{query}")
    assert response.status == status
    assert (document(response)["code"] if code else "") == code


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"format": "clang", "strict": True}, "FORMAT_LOSSY"),
        ({"format": "tvm", "record": True}, "NOT_MIRRORED"),
    ],
)
def test_no_option_of_a_batch_is_ignored(pair: Pair, members: dict[str, object], code: str) -> None:
    body = {"references": ["arm/soc:aot@1.0.0"], **members}
    (result,) = document(pair.request("POST", "/api/v1/resolve", body))["results"]
    assert result["code"] == code
