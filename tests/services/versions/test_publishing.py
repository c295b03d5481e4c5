"""Publishing bodies as immutable versions."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Event, Namespace, Tag as TagRow, User, Version
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.tags import aliases
from registry.services.versions import publishing
from tests.publishing import chain, counts, last_published, publish, yank
from tests.services.kinds.schemas import with_option
from ttag_rules.version_number import VersionNumber

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72", "num-cores": 4}


def refusal(tag: str, target: object) -> Refused:
    before = counts()
    with pytest.raises(Refused) as refused:
        publish(tag, target)
    assert counts() == before, "a rejected publication must write nothing"
    return refused.value


def test_first_version_creates_the_tag_and_is_1_0_0() -> None:
    version = publish("acme/board", BOARD)
    assert str(version.number) == "1.0.0"
    assert TagRow.objects.get(text="acme/board").names.get().text == "acme/board"


def test_source_is_kept_as_written_and_target_is_canonical() -> None:
    source = '{ "num-cores": 4,\n  "kind": "llvm", "mcpu":"haswell" }'
    version = publish("acme/board", source)
    assert version.source == source
    assert version.target == '{"kind":"llvm","mcpu":"haswell","num-cores":4}'


def test_numbers_follow_the_bumps() -> None:
    publish("acme/board", BOARD)
    minor = publish("acme/board", BOARD | {"executor": "graph"})
    patch = publish("acme/board", BOARD | {"executor": "graph", "hardware": {"vendor": "Acme"}})
    major = publish("acme/board", BOARD | {"num-cores": 8})
    assert [str(v.number) for v in (minor, patch, major)] == ["1.1.0", "1.1.1", "2.0.0"]


def test_number_of_a_yanked_version_is_not_used_again() -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 8})
    yank("acme/board@2.0.0")
    assert str(publish("acme/board", BOARD | {"num-cores": 16}).number) == "3.0.0"


def test_fix_after_a_yanked_major_keeps_the_old_major() -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 8})
    yank("acme/board@2.0.0")
    assert str(publish("acme/board", BOARD | {"runtime": "cpp"}).number) == "1.1.0"


def test_unchanged_body_is_rejected() -> None:
    publish("acme/board", BOARD)
    assert refusal("acme/board", BOARD).code == Code.NOTHING_CHANGED


def test_reformatted_source_changes_nothing() -> None:
    publish("acme/board", BOARD)
    assert refusal("acme/board", json.dumps(BOARD, indent=4)).code == Code.NOTHING_CHANGED


def test_same_target_from_another_source_is_a_patch() -> None:
    publish("acme/base", BOARD)
    publish("acme/board", BOARD)
    assert str(publish("acme/board", {"tag": "acme/base"}).number) == "1.0.1"


def test_same_source_over_a_newer_parent_is_published() -> None:
    publish("acme/base", BOARD)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", BOARD | {"num-cores": 8})
    version = publish("acme/board", {"tag": "acme/base"})
    assert str(version.number) == "2.0.0"
    assert json.loads(version.lineage) == ["acme/base@2.0.0"]


@pytest.fixture
def cores_stop_counting(acme: Namespace, alice: User) -> None:
    """Publish a board, then revise llvm: the number of cores no longer affects tuning."""
    publish("acme/board", BOARD)
    schema = with_option(shipped_facts.kinds()["llvm"], "num-cores", **{"x-affects-tuning": False})
    kinds.revise_kind("llvm", schema, actor=Actor.operator(alice))


@pytest.mark.usefixtures("cores_stop_counting")
def test_change_of_an_option_that_counted_until_a_revision_is_major() -> None:
    assert str(publish("acme/board", BOARD | {"num-cores": 8}).number) == "2.0.0"


@pytest.mark.usefixtures("cores_stop_counting")
def test_unchanged_body_is_published_if_a_revision_changed_its_tuning_key() -> None:
    assert str(publish("acme/board", BOARD).number) == "2.0.0"
    assert refusal("acme/board", BOARD).code == Code.NOTHING_CHANGED


def test_threads_of_a_gpu_without_a_tuning_key_are_major() -> None:
    publish("acme/gpu", {"kind": "cuda", "max_num_threads": 1024})
    assert str(publish("acme/gpu", {"kind": "cuda", "max_num_threads": 256}).number) == "2.0.0"


def test_child_does_not_change_when_its_parent_does() -> None:
    publish("acme/base", BOARD)
    child = publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", BOARD | {"num-cores": 8})
    child.refresh_from_db()
    assert json.loads(child.target)["num-cores"] == 4


def test_parents_are_pinned_and_dependencies_keep_the_references() -> None:
    publish("acme/base", BOARD)
    publish("acme/patch", {"executor": "aot"})
    child = publish("acme/board", {"tag": ["acme/base", "acme/patch@1"], "host": "acme/base@1.0"})
    assert json.loads(child.dependencies) == [
        _use("", "acme/base", "acme/base@1.0.0", "inherits"),
        _use("", "acme/patch@1", "acme/patch@1.0.0", "inherits"),
        _use("/host", "acme/base@1.0", "acme/base@1.0.0", "composes"),
    ]
    floating = child.uses.order_by("position").values_list("is_floating", flat=True)
    assert list(floating) == [True, True, True]
    assert json.loads(child.lineage) == ["acme/base@1.0.0", "acme/patch@1.0.0"]


def _use(pointer: str, requested: str, resolved: str, relation: str) -> dict[str, str]:
    return {
        "pointer": pointer,
        "requested": requested,
        "resolved": resolved,
        "relation": relation,
    }


def test_provenance_has_the_origin_of_each_value() -> None:
    publish("acme/base", BOARD)
    child = publish("acme/board", {"tag": "acme/base", "num-cores": 2, "model": "x1"})
    assert json.loads(child.provenance) == {
        "/kind": "acme/base@1.0.0",
        "/mcpu": "acme/base@1.0.0",
        "/mtriple": "acme/base@1.0.0",
        "/model": None,
        "/num-cores": None,
    }


def test_lineage_is_stored_by_distance() -> None:
    last = chain(4)
    rows = Version.objects.get(tag__text=last).ancestry.order_by("position")
    lineage = [(row.distance, row.ancestor.exact) for row in rows.select_related("ancestor__tag")]
    assert lineage == [
        (1, "acme/link-2@1.0.0"),
        (2, "acme/link-1@1.0.0"),
        (3, "acme/link-0@1.0.0"),
    ]


def test_version_records_the_kinds_it_was_checked_against() -> None:
    version = publish("acme/board", BOARD | {"executor": "aot", "runtime": "crt", "flow": {}})
    names = version.checked_against.values_list("revision__kind__name", flat=True)
    assert set(names) == {"llvm", "executor/aot", "runtime/crt", "flow"}


def test_publishing_appends_an_event(alice: User) -> None:
    version = publish("acme/board", BOARD)
    event = Event.objects.order_by("-number")[0]
    assert (event.action, event.subject, event.actor) == (
        "version.published",
        "acme/board@1.0.0",
        alice,
    )
    assert json.loads(event.detail) == {"bump": "FIRST", "digest": version.digest}


def test_events_are_numbered_without_gaps() -> None:
    publish("acme/board", BOARD)
    refusal("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 1})
    numbers = list(Event.objects.values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("expected", [None, VersionNumber(2, 0, 0)])
def test_stale_expected_version_is_rejected(alice: User, expected: VersionNumber | None) -> None:
    publish("acme/board", BOARD)
    with pytest.raises(Refused) as refused:
        publishing.publish(
            Tag.parse("acme/board"),
            "{}",
            message="",
            actor=Actor.operator(alice),
            expected=expected,
        )
    assert refused.value.code == Code.PRECONDITION_FAILED
    assert "1.0.0" in refused.value.detail


def test_expected_version_is_the_last_published_not_the_highest() -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 8})
    yank("acme/board@2.0.0")
    publish("acme/board", BOARD | {"runtime": "cpp"})
    assert last_published("acme/board") == VersionNumber(1, 1, 0)


def test_unknown_namespace_is_rejected() -> None:
    assert refusal("nobody/board", BOARD).code == Code.NAMESPACE_UNKNOWN


def test_publishing_under_an_alias_is_rejected(alice: User) -> None:
    publish("acme/board", BOARD)
    aliases.point_alias("acme/other", Reference.parse("acme/board"), actor=Actor.operator(alice))
    refused = refusal("acme/other", BOARD | {"num-cores": 2})
    assert (refused.code, refused.suggestions) == (Code.CONFLICT, ("acme/board",))


@pytest.mark.parametrize("message", ["x" * 2001, "bell \x07", "nul \x00"])
def test_invalid_message_is_rejected(message: str) -> None:
    with pytest.raises(Refused) as refused:
        publish("acme/board", BOARD, message=message)
    assert refused.value.faults[0].pointer == "/message"


@pytest.mark.parametrize(
    "source", ["http://example.com", "javascript:alert(1)", "https://a b", "https://" + "x" * 3000]
)
def test_source_must_be_an_https_url(alice: User, source: str) -> None:
    with pytest.raises(Refused) as refused:
        publishing.publish(
            Tag.parse("acme/board"),
            json.dumps(BOARD),
            message="",
            actor=Actor.operator(alice),
            expected=None,
            sources=["https://example.com/", source],
        )
    assert refused.value.faults[0].pointer == "/sources/1"


@pytest.mark.usefixtures("no_tiles")
def test_queries_do_not_grow_with_lineage_depth() -> None:
    chain(17)
    shallow = _count_queries("acme/shallow", "acme/link-1")
    deep = _count_queries("acme/deep", "acme/link-16")
    assert shallow == deep == 35


def _count_queries(tag: str, parent: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        publish(tag, {"tag": parent, "num-cores": 64})
    ignored = ("SAVEPOINT", "pg_advisory_xact_lock")  # depend on the database
    return len([query for query in captured if not any(text in query["sql"] for text in ignored)])
