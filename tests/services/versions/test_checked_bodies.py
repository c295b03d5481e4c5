"""Publishing and proposing a body that was checked in the same request."""

import json

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag
from registry.services.core.permissions import Actor
from registry.services.proposals import submission
from registry.services.versions import checking, drafting
from registry.services.versions.checking import CheckedBody
from tests.publishing import person, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BODY = {"kind": "llvm", "mcpu": "haswell"}
CHILD = {"tag": "acme/parent", "num-cores": 4}


def check(tag: str, body: object) -> CheckedBody:
    return checking.check_for_writing(Tag.parse(tag), json.dumps(body))


@pytest.fixture
def drafted_tags(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the tag of each draft."""
    tags: list[str] = []
    compute = drafting.compute_draft

    def record_and_compute(body: drafting.ParsedBody, tag: Tag, **loaded: object) -> object:
        tags.append(str(tag))
        return compute(body, tag, **loaded)  # type: ignore[arg-type]

    monkeypatch.setattr(drafting, "compute_draft", record_and_compute)
    return tags


def test_checked_body_is_published_without_another_draft(drafted_tags: list[str]) -> None:
    checked = check("acme/x", BODY)
    version = publish("acme/x", BODY, checked=checked)
    assert drafted_tags == ["acme/x"]
    assert version.digest == checked.draft.digest


def test_checked_body_is_proposed_without_another_draft(drafted_tags: list[str]) -> None:
    source = json.dumps(BODY)
    submission.propose(
        Tag.parse("acme/x"),
        source,
        message="",
        base=None,
        actor=Actor.operator(person("bob")),
        checked=check("acme/x", BODY),
    )
    assert drafted_tags == ["acme/x"]


def test_parent_published_after_the_check_is_inherited(
    drafted_tags: list[str],
) -> None:
    publish("acme/parent", BODY)
    checked = check("acme/child", CHILD)
    publish("acme/parent", BODY | {"mcpu": "skylake"})
    version = publish("acme/child", CHILD, checked=checked)
    assert json.loads(version.target)["mcpu"] == "skylake"
    assert drafted_tags.count("acme/child") == 2


def test_version_published_after_the_check_is_not_overwritten() -> None:
    checked = check("acme/x", BODY)
    publish("acme/x", BODY | {"num-cores": 2})
    with pytest.raises(Refused) as refused:
        publish("acme/x", BODY, checked=checked)
    assert refused.value.code == Code.PRECONDITION_FAILED


@pytest.mark.parametrize(("tag", "body"), [("acme/x", {"kind": "c"}), ("acme/y", BODY)])
def test_check_of_another_body_or_tag_is_ignored(
    tag: str, body: object, drafted_tags: list[str]
) -> None:
    version = publish("acme/x", BODY, checked=check(tag, body))
    assert json.loads(version.source) == BODY
    assert version.tag.text == "acme/x"
    assert len(drafted_tags) == 2
