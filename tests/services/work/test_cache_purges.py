"""Purges of caches: what is forgotten after which write, how often, and what never is."""

import time
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.domain.reference import Reference
from registry.models import AnswerChange, AnswerRevision, Duty, Namespace, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import namespaces
from registry.services.tags import aliases
from registry.services.work import cache_purges
from registry.services.work.cache_purges import CachePurge, is_of_removed_cache
from registry.services.work.leases import Lease
from registry.services.work.tasks import Interrupted, Task, TaskFailed
from registry.services.work.worker import Worker
from tests.publishing import publish, yank
from tests.purged_cache import PurgedCache, run_purged_cache
from tests.serving import free_port

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell", "mtriple": "x86_64-unknown-linux-gnu"}
EVERYTHING = [["registry"], ["registry"]]


@pytest.fixture
def cache() -> Iterator[PurgedCache]:
    with run_purged_cache() as running:
        yield running


@pytest.fixture
def task(cache: PurgedCache, acme: Namespace) -> CachePurge:
    """Return the task of a cache that knows all changes until now."""
    publish("acme/base", BOARD)
    publish("acme/heir", {"tag": "acme/base@1", "num-cores": 2})
    task = CachePurge(cache.url, repetition=0)
    Duty.objects.create(name=task.name, position=AnswerRevision.objects.get().number)
    return task


def run(task: Task) -> list[str]:
    return Worker([task]).do_once()


def test_new_cache_forgets_everything_twice(cache: PurgedCache, acme: Namespace) -> None:
    task = CachePurge(cache.url, repetition=0)
    assert task.is_due()
    assert run(task) == []
    assert cache.purges == EVERYTHING
    assert not task.is_due()


def test_write_purges_its_tags_twice_and_no_others(cache: PurgedCache, task: CachePurge) -> None:
    assert not task.is_due()
    publish("acme/other", BOARD | {"num-cores": 9})
    assert task.is_due()
    assert run(task) == []
    assert cache.purges == [["any-tag", "acme/other"]] * 2
    assert run(task) == []
    assert len(cache.purges) == 2
    duty = Duty.objects.get()
    assert duty.position == AnswerRevision.objects.get().number
    assert duty.succeeded is not None


def test_yank_purges_what_was_read_from_the_version(cache: PurgedCache, task: CachePurge) -> None:
    yank("acme/base@1.0.0")
    run(task)
    assert cache.keys() == {"any-tag", "acme/base"}  # a key of its heirs' answers, too


def test_alias_that_moves_purges_both_tags(
    cache: PurgedCache, task: CachePurge, alice: User
) -> None:
    for tag in ("acme/base", "acme/heir"):
        aliases.point_alias("acme/alias", Reference.parse(tag), actor=Actor.operator(alice))
    run(task)
    assert cache.keys() == {"any-tag", "acme/base", "acme/heir"}


def test_write_that_changes_no_answer_purges_nothing(
    cache: PurgedCache, task: CachePurge, alice: User
) -> None:
    namespaces.create_namespace("initech", actor=Actor.operator(alice))
    assert not task.is_due()
    run(task)
    assert cache.purges == []


@pytest.mark.parametrize("cause", ["any tag", "gap", "many", "older"])
def test_unknown_changes_purge_everything(
    cache: PurgedCache, task: CachePurge, monkeypatch: pytest.MonkeyPatch, cause: str
) -> None:
    publish("acme/other", BOARD)
    if cause == "any tag":
        AnswerChange.objects.filter(number=AnswerRevision.objects.get().number).update(tags="[]")
    elif cause == "gap":
        AnswerChange.objects.filter(number=AnswerRevision.objects.get().number).delete()
    elif cause == "many":
        monkeypatch.setattr(cache_purges, "MAX_TAGS", 0)
    else:
        AnswerRevision.objects.update(number=1)
    run(task)
    assert cache.purges == EVERYTHING
    assert not task.is_due()


def test_many_tags_are_several_requests(
    cache: PurgedCache, task: CachePurge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_purges, "MAX_KEYS", 2)
    for number in range(3):
        publish(f"acme/board{number}", BOARD | {"num-cores": number + 1})
    run(task)
    tags = ["acme/board0", "acme/board1", "acme/board2"]
    assert cache.purges == [["any-tag", tags[0]], tags[1:]] * 2


def test_purge_is_repeated_after_the_time_that_memory_may_be_old(
    cache: PurgedCache, task: CachePurge
) -> None:
    publish("acme/other", BOARD)
    run(CachePurge(cache.url, repetition=0.3))
    first, second = cache.moments
    assert 0.3 <= second - first < 5


@pytest.mark.parametrize("status", [404, 403, 500, 302])
def test_refused_purge_is_a_failure_and_repeated(
    cache: PurgedCache, task: CachePurge, status: int
) -> None:
    publish("acme/other", BOARD)
    cache.status = status
    assert run(task) == [task.name]
    duty = Duty.objects.get()
    assert duty.failures == 1
    assert duty.reason == f"The cache {cache.url[7:-1]} answers {status} to PURGE."
    assert not task.is_due()  # a pause
    Duty.objects.update(failed=timezone.now() - cache_purges.FIRST_PAUSE)
    cache.status = 200
    assert run(task) == []
    assert cache.purges == [["any-tag", "acme/other"]] * 3
    assert Duty.objects.get().failures == 0


def test_cache_that_is_away_holds_no_other(cache: PurgedCache, task: CachePurge) -> None:
    away = CachePurge(f"http://127.0.0.1:{free_port()}/", repetition=0)
    publish("acme/other", BOARD)
    assert run(away) == [away.name]
    assert "cannot be reached: [Errno 111]" in Duty.objects.get(name=away.name).reason
    assert run(task) == []
    assert cache.purges == [["any-tag", "acme/other"]] * 2
    assert away.name != task.name


def test_cache_that_trickles_is_given_up(
    cache: PurgedCache, task: CachePurge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_purges, "TIMEOUT", 1.5)
    cache.is_slow.set()
    publish("acme/other", BOARD)
    start = time.monotonic()
    assert run(task) == [task.name]
    assert time.monotonic() - start < 20


def test_worker_that_ends_between_both_purges_leaves_them_to_the_next(
    cache: PurgedCache, task: CachePurge
) -> None:
    publish("acme/other", BOARD)
    lease = Lease(task.name, "first")
    assert lease.take()
    with pytest.raises(Interrupted):
        CachePurge(cache.url, repetition=60).run(until(lambda: cache.purges))
    lease.release()
    assert run(task) == []
    assert cache.purges == [["any-tag", "acme/other"]] * 3


def until(condition: Callable[[], object]) -> Callable[[], bool]:
    return lambda: not condition()


def test_a_change_during_a_run_is_purged_by_it(cache: PurgedCache, task: CachePurge) -> None:
    publish("acme/other", BOARD)

    def write_once() -> bool:
        if len(cache.purges) == 1:
            publish("acme/late", BOARD | {"num-cores": 3})
        return True

    CachePurge(cache.url, repetition=0.3).run(write_once)
    assert cache.purges == [
        *(["any-tag", "acme/other"], ["any-tag", "acme/late"]),
        *(["any-tag", "acme/other"], ["any-tag", "acme/late"]),
    ]


def test_look_takes_two_queries(task: CachePurge) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert not task.is_due()
    assert len(captured) == 2


def test_name_fits_and_tells_caches_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    host = "http://cache-in-a-very-far-away-place.example.org:6081"
    urls = [f"{host}/", f"{host}/other"]
    names = {CachePurge(url).name for url in urls}
    assert len(names) == 2
    assert {len(name) for name in names} == {39}
    monkeypatch.setattr(settings, "PURGE_URLS", urls[:1])
    assert [is_of_removed_cache(name) for name in sorted(names)].count(True) == 1
    assert not is_of_removed_cache("backup")


def test_no_cache_means_no_task() -> None:
    assert list(cache_purges.cache_purges()) == []
    with pytest.raises(TaskFailed):
        cache_purges.purge(f"http://127.0.0.1:{free_port()}/", ["registry"])
