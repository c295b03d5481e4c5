"""Loading in several transactions, while others write, and after an interruption."""

from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import Event, Tag, User, Version
from registry.services.catalogue import loading, shipped_tags
from registry.services.catalogue.load_run import LoadResult
from registry.services.core.permissions import Actor, Permission
from registry.services.tags import aliases
from registry.services.versions import bulk_publishing
from tests.publishing import publish
from tests.services.catalogue.upgrades.catalogues import (
    Catalogue,
    bodies,
    change_names,
    cores,
    skip_reasons,
)
from tests.services.conftest import RunBeforeLock

pytestmark = pytest.mark.django_db


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load two versions in each transaction."""
    monkeypatch.setattr(shipped_tags, "BATCH_SIZE", 2)


def ship_many(catalogue: Catalogue, count: int) -> None:
    """Ship boards, and for each a kit that inherits from it."""
    for number in range(count):
        name = f"vendor/new-{number}"
        catalogue.ship(name, cores(number + 1), cores(number + 99), aliases=(f"{name}-alias",))
        catalogue.ship(f"{name}:kit", {"tag": f"{name}-alias", "mcpu": "skylake"})


@pytest.mark.usefixtures("small_batches")
def test_interrupted_load_is_completed_by_the_next(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship_many(catalogue, 3)
    finish_all, calls = bulk_publishing.finish_all, iter(range(9))

    def fail_at_the_third(*arguments: Any, **options: Any) -> list[Version]:
        if next(calls) == 2:
            raise Refused(Code.BUSY, "Somebody else writes.")
        return finish_all(*arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(bulk_publishing, "finish_all", fail_at_the_third)
        with pytest.raises(Refused, match="Somebody else writes"):
            loading.load_catalogue()
    assert Tag.objects.filter(text__startswith="vendor/new-").count() == 2
    result = loading.load_catalogue()
    assert result.counts == {"version": 5, "alias": 1}
    assert bodies("vendor/new-2") == [cores(3), cores(101)]
    assert loading.load_catalogue() == LoadResult((), ())


@pytest.mark.usefixtures("small_batches")
def test_adopting_stays_one_transaction(catalogue: Catalogue) -> None:
    publish("vendor/own", cores(1))
    catalogue.ship("vendor/own", cores(2), {"tag": "vendor/new-0:kit", "num-cores": "many"})
    ship_many(catalogue, 3)
    before = Event.objects.count()
    with pytest.raises(Refused, match="many"):
        loading.load_catalogue(adopt=["vendor/own"])
    assert Event.objects.count() == before


def test_version_that_others_publish_meanwhile_is_kept(
    catalogue: Catalogue, run_before_lock: RunBeforeLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drafts are computed again under the lock, and the tag is skipped."""
    catalogue.ship("vendor/new", cores(4))
    catalogue.ship("vendor/more", cores(5), aliases=("vendor/other",))
    authorized_write = shipped_tags.authorized_write

    def write_later(permission: Permission) -> AbstractContextManager[None]:
        run_before_lock(lambda: publish("vendor/new", cores(9)))
        return authorized_write(permission)

    monkeypatch.setattr(shipped_tags, "authorized_write", write_later)
    result = loading.load_catalogue()
    assert bodies("vendor/new") == [cores(9)]
    assert change_names(result) == ["vendor/more@1.0.0", "vendor/other, for vendor/more"]
    assert "vendor/new@1.0.0 was published by alice" in skip_reasons(result)["vendor/new"]


@pytest.mark.usefixtures("no_tiles")
@pytest.mark.parametrize("is_new", [True, False])
def test_number_of_queries_does_not_depend_on_the_number_of_tags(
    catalogue: Catalogue, *, is_new: bool
) -> None:
    def count_queries(count: int) -> int:
        """Return the number of queries without INSERT, which depends on the rows."""
        names = [f"vendor/part-{count}-{number}" for number in range(count)]
        first = {"tag": "vendor/board", "mcpu": "skylake"}
        for name in names:
            catalogue.ship(name, first, aliases=(f"{name}-x",))
        if not is_new:
            loading.load_catalogue()
        for name in names:
            second = {"tag": "vendor/board", "num-cores": 64}
            catalogue.ship(name, first, second, aliases=(f"{name}-x", f"{name}-y"))
        with CaptureQueriesContext(connection) as captured:
            result = loading.load_catalogue()
        assert result.counts == {"version": count * (1 + is_new), "alias": count * (1 + is_new)}
        return sum("INSERT" not in query["sql"] for query in captured)

    few, many = count_queries(10), count_queries(100)
    assert few == many
    assert many <= 70


def test_aliases_that_cannot_be_created_do_not_stop_others(
    catalogue: Catalogue, alice: User
) -> None:
    publish("vendor/taken", cores(9))
    operator = Actor.operator(alice)
    targets = {name: Reference("vendor/board") for name in ("vendor/x", "vendor/taken", "bad name")}
    results = aliases.point_aliases(targets, actor=operator)
    codes = {text: r.code for text, r in results.items() if isinstance(r, Refused)}
    assert codes == {"vendor/taken": Code.CONFLICT, "bad name": Code.REFERENCE_INVALID}
    (again,) = aliases.point_aliases({"vendor/x": Reference("vendor/kit")}, actor=operator).values()
    assert not isinstance(again, Refused)
    assert (str(again.reference), again.is_new) == ("vendor/kit", False)
    (event,) = Event.objects.order_by("-number")[:1]
    assert (event.action, event.detail) == (
        "alias.pointed",
        '{"to": "vendor/kit", "was": "vendor/board"}',
    )
