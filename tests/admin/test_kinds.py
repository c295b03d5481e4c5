"""Tests of kinds in the admin: current schemas, earlier revisions, and previews of new ones."""

import json
from typing import Any

import pytest

from registry.models import Kind, KindRevision, Namespace, User
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.admin.conftest import AdminClient, Page, last_event
from tests.publishing import publish


@pytest.fixture
def cuda(db: None) -> Kind:
    """A kind that ships."""
    return Kind.objects.get(name="cuda")


def schema_of(kind: Kind) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(kind.revisions.latest("number").source)
    return schema


def without(source: dict[str, Any], option: str) -> dict[str, Any]:
    kept = {name: schema for name, schema in source["properties"].items() if name != option}
    return source | {"properties": kept}


def with_option(source: dict[str, Any], name: str, **keywords: Any) -> dict[str, Any]:
    schema = {"type": "integer", "x-consumers": ["codegen"], "x-affects-tuning": False}
    return source | {"properties": source["properties"] | {name: schema | keywords}}


def send(superuser: AdminClient, kind: Kind, source: Any, **data: Any) -> Page:
    text = source if isinstance(source, str) else json.dumps(source, indent=2)
    return superuser.post(f"registry/kind/{kind.pk}/revise/", source=text, **data)


def test_list_shows_the_current_revision_and_its_use(
    superuser: AdminClient, acme: Namespace
) -> None:
    before = [
        row for row in superuser.get("registry/kind/", q="llvm").rows if row.startswith("llvm ")
    ]
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    (row,) = [
        row for row in superuser.get("registry/kind/", q="llvm").rows if row.startswith("llvm ")
    ]
    assert row.split()[:3] == ["llvm", "1", "target"]
    assert row.split()[-2] == "catalogue"
    assert int(row.split()[-1]) == int(before[0].split()[-1]) + 1


def test_list_can_be_filtered_by_role(superuser: AdminClient) -> None:
    rows = superuser.get("registry/kind/", role="executor").rows
    assert rows
    assert all(row.startswith("executor/") for row in rows)


def test_form_starts_with_the_current_schema(superuser: AdminClient, cuda: Kind) -> None:
    page = superuser.get(f"registry/kind/{cuda.pk}/revise/")
    assert json.dumps(schema_of(cuda)["title"])[1:-1] in page.html
    assert "Put in force" not in page.html


def test_preview_shows_what_changes_and_writes_nothing(superuser: AdminClient, cuda: Kind) -> None:
    before = last_event().number
    answer = send(superuser, cuda, with_option(schema_of(cuda), "warp-sum"))
    assert answer.status == 200
    assert "option warp-sum added" in answer.text
    assert "Put in force" in answer.text
    assert 'name="seen" value="1"' in answer.html
    assert (last_event().number, cuda.revisions.count()) == (before, 1)


def test_preview_shows_the_versions_that_would_break(
    superuser: AdminClient, cuda: Kind, acme: Namespace
) -> None:
    publish("acme/card", {"kind": "cuda", "arch": "sm_90"})
    source = without(schema_of(cuda), "arch")
    answer = send(superuser, cuda, source)
    assert "newest versions would be invalid" in answer.text
    assert "has no option arch" in answer.text
    assert "Put in force" not in answer.text
    assert send(superuser, cuda, source, seen="1").status == 422
    assert cuda.revisions.count() == 1


def test_preview_shows_whose_tuning_keys_would_change(
    superuser: AdminClient, cuda: Kind, acme: Namespace
) -> None:
    publish("acme/card", {"kind": "cuda", "arch": "sm_90"})
    source = with_option(schema_of(cuda), "warp-sum", default=3, **{"x-affects-tuning": True})
    answer = send(superuser, cuda, source)
    assert "would have different tuning keys" in answer.text
    assert "acme/card@1.0.0" in answer.text


def test_problems_name_their_line(superuser: AdminClient, cuda: Kind) -> None:
    source = schema_of(cuda)
    source["properties"]["warp-sum"] = {"type": "integer", "x-affects-tuning": False}
    answer = send(superuser, cuda, source)
    text = json.dumps(source, indent=2)
    line = 1 + text[: text.index('"warp-sum"')].count("\n")
    assert f"Line {line}: warp-sum does not state its consumers (x-consumers)." in answer.text
    assert "Put in force" not in answer.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  "type": object\n}', "at line 2, column 11"),
        ("[]", "The schema of a kind must be a JSON object."),
        ('{"a": 1, "a": 2}', "/a: the key a occurs twice."),
        ("[" * 200, "nest more than 96 deep"),
        ('{"a": "' + "x" * 70_000 + '"}', "bytes of JSON are too many"),
    ],
)
def test_invalid_json_is_kept_in_the_form(
    superuser: AdminClient, cuda: Kind, text: str, message: str
) -> None:
    answer = send(superuser, cuda, text)
    assert answer.status >= 400
    assert message in answer.text
    assert text[:100].replace('"', "&quot;") in answer.html


def test_previewed_revision_is_put_in_force(superuser: AdminClient, cuda: Kind) -> None:
    source = with_option(schema_of(cuda), "warp-sum")
    answer = send(superuser, cuda, source, seen="1")
    assert "Revision 2 of cuda is in force." in answer.text
    assert kinds.find_kind("cuda").revision == 2
    event = last_event()
    assert (event.action, event.subject, event.actor) == ("kind.revised", "cuda", superuser.user)
    assert "warp-sum" in answer.text


def test_concurrent_revision_is_reported_and_input_is_kept(
    superuser: AdminClient, cuda: Kind, alice: User
) -> None:
    mine = with_option(schema_of(cuda), "mine")
    assert "Put in force" in send(superuser, cuda, mine).text
    kinds.revise_kind("cuda", with_option(schema_of(cuda), "theirs"), actor=Actor.operator(alice))
    answer = send(superuser, cuda, mine, seen="1")
    assert answer.status == 412
    assert "cuda has changed since your preview: the current revision is 2, not 1" in answer.text
    assert "&quot;mine&quot;" in answer.html
    assert kinds.find_kind("cuda").revision == 2


def test_unchanged_schema_is_rejected(superuser: AdminClient, cuda: Kind) -> None:
    answer = send(superuser, cuda, schema_of(cuda))
    assert "This schema is identical to the one in force." in answer.text
    assert "Put in force" not in answer.text
    assert send(superuser, cuda, schema_of(cuda), seen="1").status == 409


def test_kind_is_created_after_a_preview(superuser: AdminClient, cuda: Kind) -> None:
    text = json.dumps(schema_of(cuda))
    preview = superuser.post("registry/kind/add/", name="npu", source=text)
    assert 'name="seen" value="0"' in preview.html
    assert "Put in force" in preview.text
    superuser.post("registry/kind/add/", name="npu", source=text, seen="0")
    assert KindRevision.objects.get(kind__name="npu").author == superuser.user


def test_preview_reports_an_invalid_name(superuser: AdminClient, cuda: Kind) -> None:
    answer = superuser.post("registry/kind/add/", name="N PU", source=json.dumps(schema_of(cuda)))
    assert "N PU is not a valid kind name" in answer.text
    assert "Put in force" not in answer.text


def test_page_shows_the_changes_of_each_revision(superuser: AdminClient, cuda: Kind) -> None:
    kinds.revise_kind(
        "cuda", with_option(schema_of(cuda), "warp-sum"), actor=Actor.operator(superuser.user)
    )
    page = superuser.get(f"registry/kind/{cuda.pk}/change/")
    assert "Revision 2" in page.text
    assert "by boss" in page.text
    assert "<ins>+     &quot;warp-sum&quot;: {</ins>" in page.html
    assert "First revision." in page.text


def test_users_who_are_not_staff_cannot_revise_kinds(client: Any, cuda: Kind, alice: User) -> None:
    client.force_login(alice)
    text = json.dumps(with_option(schema_of(cuda), "warp-sum"))
    client.post(f"/admin/registry/kind/{cuda.pk}/revise/", {"source": text, "seen": "1"})
    assert cuda.revisions.count() == 1
