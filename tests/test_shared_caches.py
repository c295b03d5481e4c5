"""A real registry behind the caches of docs/operating: what they keep, what not, and for how long.

Decision 167: an answer is given again until its tags change or its time is over; longer only while
the registry is away, and never to those who ask for an answer of the registry itself.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from tests.serving import send_request
from tests.shared_caches import CACHES, KEPT, Site, site, stop
from tests.working import wait_until

SECONDS = 2  # that answers are kept for
MISSED = {"MISS", "EXPIRED", "REVALIDATED", "BYPASS", ""}
SHIPPED = "/api/v1/resolve/nvidia/jetson-nano:cuda"
NAMES = count(1)
TOGETHER = 16  # requests


@pytest.fixture(scope="module", params=CACHES)
def cached(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("registry"), request.param, seconds=SECONDS) as running:
        yield running


@pytest.fixture
def tag(cached: Site) -> str:
    """Return a new tag with one version."""
    name = f"acme/board{next(NAMES)}"
    cached.publish(name, 2)
    return name


@pytest.mark.parametrize(
    "path", [SHIPPED, f"{SHIPPED}@1", f"{SHIPPED}?format=clang", "/badges/arm/soc:aot.svg"]
)
def test_floating_answers_are_kept(cached: Site, path: str) -> None:
    first = send_request(cached.server.port, "GET", path)
    answer = cached.kept(path)
    assert (answer.status, answer.body) == (200, first.body)
    for name in ("Surrogate-Key", "Cache-Tag", "X-Accel-Expires"):
        assert name not in answer.headers
    assert cached.get(path, If_None_Match=answer.headers["ETag"]).status == 304
    assert cached.get(path, "HEAD").headers["ETag"] == answer.headers["ETag"]


def test_formats_do_not_mix(cached: Site) -> None:
    media = ("application/json", "application/vnd.target-tag.target+json")
    cached.kept(SHIPPED)
    assert cached.get(SHIPPED, Accept=media[0]).headers["Content-Type"] == media[0]
    tvm = cached.kept(f"{SHIPPED}?format=tvm")
    assert tvm.body != cached.kept(SHIPPED).body


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("/", 200), ("/tags/", 200), ("/api/v1/tags", 200), ("/api/v1/events", 200)),
        *(("/api/v1/log/checkpoint", 200), ("/healthz", 200), ("/feed.atom", 200)),
        *(("/api/v1/resolve/acme/nothing", 404), ("/api/v1/resolve/XX", 400)),
        *(("/badges/acme/nothing.svg", 404), ("/metrics", 404), ("/readyz", 404)),
    ],
)
def test_everything_else_is_not_kept(cached: Site, path: str, status: int) -> None:
    for _ in range(3):
        answer = cached.get(path)
        assert (answer.status, answer.cache in MISSED) == (status, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Cache_Control", "no-cache"),
        ("Cache_Control", "max-age=0"),
        ("Pragma", "no-cache"),
        ("Cookie", "theme=dark"),
    ],
)
def test_who_asks_for_an_answer_of_the_registry_gets_it(
    cached: Site, tag: str, name: str, value: str
) -> None:
    path = f"/api/v1/resolve/{tag}"
    old = cached.kept(path)
    cached.publish(tag, 4, after="1.0.0")
    new = cached.get(path, **{name: value})
    assert (old.version, new.version) == ("1.0.0", "2.0.0")
    assert new.cache in MISSED


def test_tokens_are_always_checked(cached: Site) -> None:
    cached.kept(SHIPPED)
    assert cached.get(SHIPPED, Authorization="Bearer ttr_wrong").status == 401
    answer = cached.get(SHIPPED, Authorization=f"Bearer {cached.token}")
    assert (answer.status, answer.cache in MISSED) == (200, True)
    assert cached.get(SHIPPED).status == 200


def test_asking_the_registry_itself_is_limited(cached: Site) -> None:
    answers = [cached.get(SHIPPED, Cache_Control="no-cache") for _ in range(200)]
    refused = [answer for answer in answers if answer.status == 429]
    assert 20 < len(refused) < 200
    assert refused[0].headers["Retry-After"] == "1"
    assert {answer.status for answer in answers} == {200, 429}
    assert cached.get(SHIPPED).status == 200  # what is kept is not counted
    time.sleep(6)  # for the tests that follow


@pytest.mark.parametrize("write", ["publish", "yank"])
def test_old_answer_is_given_for_the_stated_time_at_most(
    cached: Site, tag: str, write: str
) -> None:
    path = f"/api/v1/resolve/{tag}"
    cached.publish(tag, 4, after="1.0.0")
    wait_until(lambda: cached.get(path).version == "2.0.0", "the second version")
    cached.kept(path)
    expected = "1.0.0" if write == "yank" else "3.0.0"
    start = time.monotonic()
    cached.yank(f"{tag}@2.0.0") if write == "yank" else cached.publish(tag, 6, after="2.0.0")
    assert cached.get(path).version == "2.0.0"
    wait_until(lambda: cached.get(path).version == expected, "the new answer")
    assert time.monotonic() - start < SECONDS + 2


def test_nobody_gets_an_old_answer_because_nobody_has_asked_for_long(
    cached: Site, tag: str
) -> None:
    path = f"/api/v1/resolve/{tag}"
    cached.kept(path)
    cached.publish(tag, 4, after="1.0.0")
    time.sleep(SECONDS + 1.5)
    with ThreadPoolExecutor(TOGETHER) as threads:
        answers = list(threads.map(cached.get, [path] * TOGETHER))
    assert {answer.version for answer in answers} == {"2.0.0"}


@pytest.mark.system
@pytest.mark.parametrize("name", CACHES)
def test_resolves_go_on_while_the_registry_is_away(tmp_path: Path, name: str) -> None:
    with site(tmp_path, name, seconds=SECONDS) as running:
        kept, digest = running.kept(SHIPPED), "/api/v1/digests/"
        digest += str(kept.headers["Target-Digest"])
        running.kept(digest)
        exact = running.kept(f"{SHIPPED}@1.0.0")
        stop(running.server)
        time.sleep(SECONDS + 1)
        for _ in range(3):
            assert running.get(SHIPPED).body == kept.body
            assert running.get(f"{SHIPPED}@1.0.0").body == exact.body
            assert running.get(digest).status == 200
        assert running.get(SHIPPED, Cache_Control="no-cache").status in {502, 503}
        assert running.get("/api/v1/resolve/arm/soc").status in {502, 503}  # never asked for
        assert running.get("/api/v1/tags").status in {502, 503}


@pytest.mark.system
def test_purged_cache_gives_new_answers_at_once(tmp_path: Path) -> None:
    with site(tmp_path, "Varnish", seconds=3600, is_purged=True) as running:
        running.publish("acme/other", 8)
        running.publish("acme/board", 2)
        other, path = "/api/v1/resolve/acme/other", "/api/v1/resolve/acme/board"
        time.sleep(7)  # both purges of these changes are over
        running.kept(other)
        assert running.kept(path).version == "1.0.0"
        running.publish("acme/board", 4, after="1.0.0")
        start = time.monotonic()
        wait_until(lambda: running.get(path).version == "2.0.0", "the new version")
        assert time.monotonic() - start < 5
        running.yank("acme/board@2.0.0")
        start = time.monotonic()
        wait_until(lambda: running.get(path).version == "1.0.0", "the version before")
        assert time.monotonic() - start < 5
        assert running.get(other).cache in KEPT  # which has not changed


@pytest.mark.parametrize("cached", ["nginx"], indirect=True)  # of Varnish, we are no strangers
def test_strangers_cannot_purge(cached: Site) -> None:
    cached.kept(SHIPPED)
    assert cached.get(SHIPPED, "PURGE", Surrogate_Key="registry").status in {403, 405}
    assert cached.get(SHIPPED).cache in KEPT
