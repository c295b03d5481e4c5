"""After any writes, memory answers as Django does, and forgets only what they can have changed."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from hypothesis import HealthCheck, given, settings, strategies as st

from registry.domain.errors import Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import AnswerChange, AnswerRevision, LintReport, Version
from registry.server.memory import Memory
from registry.server.revisions import Revision
from registry.server.wsgi_calls import Response, call, environ
from registry.services.core.permissions import Actor
from registry.services.operations import linting, redaction
from registry.services.tags import aliases, deprecation, renaming
from registry.services.versions import families, yanking
from registry.wsgi import application
from tests.profiles import examples
from tests.publishing import person, publish
from tests.server.exchanges import SentHeaders, SentScope
from tests.server.test_memory import Records

BASE, HEIR, PAIR, FAMILY = "acme/base", "acme/heir", "acme/pair", "acme/family"
OTHER = "acme/other"  # nothing else is made from it
TAGS = (BASE, HEIR, PAIR, FAMILY, OTHER)
ALIAS, PINNED = "acme/short", "acme/short.first"
LLVM: dict[str, Any] = {"kind": "llvm", "mcpu": "haswell", "mtriple": "x86_64-unknown-linux-gnu"}
BODIES = {
    BASE: LLVM,
    HEIR: {"tag": BASE},
    PAIR: {"kind": "composite", "devices": {"a": BASE, "b": f"{HEIR}@1"}},
    FAMILY: LLVM | {"mcpu": "skylake"},
    OTHER: LLVM | {"mcpu": "broadwell"},
}
Write = Callable[[], object]


class StoredRevisions:
    """The revisions as the transaction of a test sees them."""

    def current(self) -> Revision:
        return Revision(1, AnswerRevision.objects.get().number)

    def changed_tags(self, before: Revision, after: Revision) -> frozenset[str] | None:
        rows = AnswerChange.objects.filter(number__gt=before.number, number__lte=after.number)
        changes = [json.loads(tags) for tags in rows.values_list("tags", flat=True)]
        assert len(changes) == after.number - before.number
        return frozenset(chain.from_iterable(changes)) if all(changes) else None


def operator() -> Actor:
    return Actor.operator(person("alice"))


def revise(tag: str, cores: int) -> Write:
    body = BODIES[tag]
    change: dict[str, Any] = (
        {"num-cores": cores} if tag != PAIR else {"executor": ("graph", "aot")[cores % 2]}
    )
    return lambda: publish(tag, body | change)


def yank(tag: str) -> object:
    return yanking.yank(Reference.parse(f"{tag}@1.0.0"), reason="a test", actor=operator())


def unyank(tag: str) -> object:
    return yanking.unyank(Reference.parse(f"{tag}@1.0.0"), reason="a test", actor=operator())


def deprecate(tag: str) -> object:
    successor = TagName.parse(OTHER) if tag != OTHER else None
    return deprecation.deprecate(
        TagName.parse(tag), reason="a test", successor=successor, actor=operator()
    )


def undeprecate(tag: str) -> object:
    return deprecation.undeprecate(TagName.parse(tag), reason="a test", actor=operator())


def turn_family(tag: str) -> object:
    name = TagName.parse(tag)
    is_family = not Version.objects.filter(tag__text=tag, tag__is_family=True).exists()
    return families.set_family(name, is_family=is_family, actor=operator())


def point(alias: str, target: str) -> Write:
    return lambda: aliases.point_alias(alias, Reference.parse(target), actor=operator())


def add_variant() -> None:
    """Add a family of accelerated machines, which the plain family's answer names."""
    publish(f"{FAMILY}:cuda", {"kind": "cuda", "arch": "sm_80"})
    families.set_family(TagName.parse(f"{FAMILY}:cuda"), is_family=True, actor=operator())


def rename() -> None:
    name = TagName.parse("acme/renamed")
    renaming.rename_tag(TagName.parse(OTHER), name, reason="a test", actor=operator())


def redact() -> None:
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
    redaction.redact("broadwell", reason="a test", actor=operator())


WRITES: list[Write] = [
    *(revise(tag, cores) for tag in TAGS for cores in (2, 3)),
    *(lambda write=write, tag=tag: write(tag)
      for tag in TAGS for write in (yank, unyank, deprecate, undeprecate, turn_family)),
    *(point(ALIAS, tag) for tag in (BASE, HEIR, OTHER)),
    *(point(PINNED, f"{tag}@1.0.0") for tag in (BASE, OTHER)),
    add_variant,
    rename,
    redact,
    linting.rebuild_lints,
    LintReport.objects.all().delete,
]  # fmt: skip


def scope(path: str) -> SentScope:
    return SentScope("GET", path, "", SentHeaders([("host", "127.0.0.1:8000")]))


def paths() -> list[str]:
    digests = Version.objects.filter(tag__text__startswith="acme/").values_list("digest", flat=True)
    names = [*TAGS, ALIAS, PINNED, *(f"{tag}@1" for tag in TAGS), *(f"{tag}@1.0.0" for tag in TAGS)]
    return [
        *(f"/api/v1/resolve/{name}" for name in names),
        *(f"/api/v1/digests/{digest}" for digest in digests),
    ]


def without_id(response: Response) -> Response:
    return response._replace(headers=[pair for pair in response.headers if "ID" not in pair[0]])


@pytest.fixture
def one_connection(acme: object) -> Iterator[None]:
    """Keep the connection of the test open after each request, as Django's test client does."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def read(memory: Memory, path: str) -> bool:
    """Compare memory's answer with Django's; return whether memory had one, and keep Django's."""
    way, variables = memory(scope(path)), environ(scope(path), b"")
    expected = call(application, variables)
    if isinstance(way, Response):
        assert without_id(way) == without_id(expected), path
        return True
    assert way
    way(expected, variables)
    return False


@pytest.mark.django_db
@pytest.mark.usefixtures("one_connection")
@given(st.lists(st.sampled_from(WRITES), min_size=1, max_size=8))
@settings(
    max_examples=examples(0.4),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_answers_from_memory_are_django_s_after_any_writes(writes: Sequence[Write]) -> None:
    memory = Memory(StoredRevisions(), Records(), max_bytes=2**20)
    with transaction.atomic():
        for tag, body in BODIES.items():
            publish(tag, body)
        for alias, target in ((ALIAS, BASE), (PINNED, f"{BASE}@1.0.0")):
            point(alias, target)()
        for write in (lambda: None, *writes):
            try:
                write()
            except Refused:
                continue  # it does not apply to what the others have left
            for path in paths():
                read(memory, path)
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.usefixtures("one_connection")
@pytest.mark.parametrize(
    ("write", "forgotten"),
    [
        (revise(OTHER, 2), [OTHER]),
        (revise(HEIR, 2), [HEIR, PAIR]),
        (lambda: yank(BASE), [BASE, HEIR, PAIR]),
        (lambda: deprecate(FAMILY), [FAMILY]),
        (point(ALIAS, OTHER), [BASE, HEIR, PAIR, OTHER]),
        (rename, [OTHER]),
    ],
)
def test_write_forgets_what_is_made_from_its_tags_and_nothing_else(
    write: Write, forgotten: list[str]
) -> None:
    for tag, body in BODIES.items():
        publish(tag, body)
    point(ALIAS, BASE)()
    memory = Memory(StoredRevisions(), Records(), max_bytes=2**20)
    for tag in TAGS:
        read(memory, f"/api/v1/resolve/{tag}")
    write()
    kept = [tag for tag in TAGS if read(memory, f"/api/v1/resolve/{tag}")]
    assert kept == [tag for tag in TAGS if tag not in forgotten]


@pytest.mark.django_db
@pytest.mark.usefixtures("one_connection")
def test_family_names_an_accelerated_family_that_comes_later() -> None:
    for tag in (FAMILY, OTHER):
        publish(tag, BODIES[tag])
    turn_family(FAMILY)
    memory = Memory(StoredRevisions(), Records(), max_bytes=2**20)
    read_tags = [f"/api/v1/resolve/{tag}" for tag in (FAMILY, OTHER)]
    assert [read(memory, path) for path in read_tags] == [False, False]
    assert [read(memory, path) for path in read_tags] == [True, True]
    add_variant()
    assert [read(memory, path) for path in read_tags] == [False, True]
