"""Kinds at the admin: what is in force, what it was, and a revision seen before it is made."""

import json
from typing import Any

import pytest

from registry.models import Kind, KindRevision, Namespace, User
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.admin.conftest import Answer, Desk, last_event
from tests.publishing import publish


@pytest.fixture
def cuda(db: None) -> Kind:
    """A kind that ships."""
    return Kind.objects.get(name="cuda")


def schema_of(kind: Kind) -> dict[str, Any]:
    newest = kind.revisions.latest("number")
    found: dict[str, Any] = json.loads(newest.source)
    return found


def without(source: dict[str, Any], option: str) -> dict[str, Any]:
    kept = {name: said for name, said in source["properties"].items() if name != option}
    return source | {"properties": kept}


def with_option(source: dict[str, Any], name: str, **said: Any) -> dict[str, Any]:
    described = {"type": "integer", "x-consumers": ["codegen"], "x-affects-tuning": False}
    return source | {"properties": source["properties"] | {name: described | said}}


def send(desk: Desk, kind: Kind, source: Any, **typed: Any) -> Answer:
    text = source if isinstance(source, str) else json.dumps(source, indent=2)
    return desk.send(f"registry/kind/{kind.pk}/revise/", source=text, **typed)


def test_list_says_what_is_in_force(desk: Desk, acme: Namespace) -> None:
    before = [row for row in desk.see("registry/kind/", q="llvm").rows if row.startswith("llvm ")]
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    (row,) = [row for row in desk.see("registry/kind/", q="llvm").rows if row.startswith("llvm ")]
    assert row.split()[:3] == ["llvm", "1", "target"]
    assert row.split()[-2] == "catalogue"
    assert int(row.split()[-1]) == int(before[0].split()[-1]) + 1


def test_list_is_narrowed_by_role(desk: Desk) -> None:
    rows = desk.see("registry/kind/", role="executor").rows
    assert rows
    assert all(row.startswith("executor/") for row in rows)


def test_form_begins_with_the_schema_in_force(desk: Desk, cuda: Kind) -> None:
    page = desk.see(f"registry/kind/{cuda.pk}/revise/")
    assert json.dumps(schema_of(cuda)["title"])[1:-1] in page.html
    assert "Put in force" not in page.html


def test_preview_shows_what_changes_and_writes_nothing(desk: Desk, cuda: Kind) -> None:
    before = last_event().number
    answer = send(desk, cuda, with_option(schema_of(cuda), "warp-sum"))
    assert answer.status == 200
    assert "option warp-sum added" in answer.text
    assert "Put in force" in answer.text
    assert 'name="seen" value="1"' in answer.html
    assert (last_event().number, cuda.revisions.count()) == (before, 1)


def test_preview_shows_the_versions_that_would_break(
    desk: Desk, cuda: Kind, acme: Namespace
) -> None:
    publish("acme/card", {"kind": "cuda", "arch": "sm_90"})
    source = without(schema_of(cuda), "arch")
    answer = send(desk, cuda, source)
    assert "newest versions would be invalid" in answer.text
    assert "has no option arch" in answer.text
    assert "Put in force" not in answer.text
    refused = send(desk, cuda, source, seen="1")
    assert refused.status == 422
    assert cuda.revisions.count() == 1


def test_preview_shows_whose_tuning_keys_would_change(
    desk: Desk, cuda: Kind, acme: Namespace
) -> None:
    publish("acme/card", {"kind": "cuda", "arch": "sm_90"})
    source = with_option(schema_of(cuda), "warp-sum", default=3, **{"x-affects-tuning": True})
    answer = send(desk, cuda, source)
    assert "would have other tuning keys" in answer.text
    assert "acme/card@1.0.0" in answer.text


def test_problems_name_the_line_that_they_are_on(desk: Desk, cuda: Kind) -> None:
    source = schema_of(cuda)
    source["properties"]["warp-sum"] = {"type": "integer", "x-affects-tuning": False}
    answer = send(desk, cuda, source)
    text = json.dumps(source, indent=2)
    line = 1 + text[: text.index('"warp-sum"')].count("\n")
    assert f"Line {line}: warp-sum does not say who consumes it (x-consumers)." in answer.text
    assert "Put in force" not in answer.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{\n  "type": object\n}', "at line 2, column 11"),
        ("[]", "The schema of a kind is a JSON object."),
        ('{"a": 1, "a": 2}', "/a: the key a occurs twice."),
        ("[" * 200, "nest more than 96 deep"),
        ('{"a": "' + "x" * 70_000 + '"}', "bytes of JSON are too many"),
    ],
)
def test_what_is_no_json_is_kept_as_typed(desk: Desk, cuda: Kind, text: str, told: str) -> None:
    answer = send(desk, cuda, text)
    assert answer.status >= 400
    assert told in answer.text
    assert text[:100].replace('"', "&quot;") in answer.html


def test_a_revision_is_put_in_force_from_its_preview(desk: Desk, cuda: Kind) -> None:
    source = with_option(schema_of(cuda), "warp-sum")
    answer = send(desk, cuda, source, seen="1")
    assert "Revision 2 of cuda is in force." in answer.text
    assert kinds.find_kind("cuda").revision == 2
    event = last_event()
    assert (event.action, event.subject, event.actor) == ("kind.revised", "cuda", desk.user)
    assert "warp-sum" in answer.text


def test_who_was_slower_hears_so_and_keeps_what_was_typed(
    desk: Desk, cuda: Kind, alice: User
) -> None:
    mine = with_option(schema_of(cuda), "mine")
    assert "Put in force" in send(desk, cuda, mine).text
    kinds.revise_kind("cuda", with_option(schema_of(cuda), "theirs"), actor=Actor.operator(alice))
    answer = send(desk, cuda, mine, seen="1")
    assert answer.status == 412
    assert "cuda has changed since your preview: revision 2 is current" in answer.text
    assert "&quot;mine&quot;" in answer.html
    assert kinds.find_kind("cuda").revision == 2


def test_the_schema_in_force_is_no_revision(desk: Desk, cuda: Kind) -> None:
    answer = send(desk, cuda, schema_of(cuda))
    assert "This is the schema in force" in answer.text
    assert "Put in force" not in answer.text
    assert send(desk, cuda, schema_of(cuda), seen="1").status == 409


def test_a_kind_is_added_through_a_preview(desk: Desk, cuda: Kind) -> None:
    text = json.dumps(schema_of(cuda))
    seen = desk.send("registry/kind/add/", name="npu", source=text)
    assert 'name="seen" value="0"' in seen.html
    assert "Put in force" in seen.text
    desk.send("registry/kind/add/", name="npu", source=text, seen="0")
    assert KindRevision.objects.get(kind__name="npu").author == desk.user


def test_a_name_that_no_kind_can_have_is_said_in_the_preview(desk: Desk, cuda: Kind) -> None:
    answer = desk.send("registry/kind/add/", name="N PU", source=json.dumps(schema_of(cuda)))
    assert "N PU is not a valid kind name" in answer.text
    assert "Put in force" not in answer.text


def test_page_shows_each_revision_with_what_it_changed(desk: Desk, cuda: Kind) -> None:
    kinds.revise_kind(
        "cuda", with_option(schema_of(cuda), "warp-sum"), actor=Actor.operator(desk.user)
    )
    page = desk.see(f"registry/kind/{cuda.pk}/change/")
    assert "Revision 2" in page.text
    assert "by boss" in page.text
    assert "<ins>+     &quot;warp-sum&quot;: {</ins>" in page.html
    assert "The first." in page.text


def test_strangers_revise_nothing(client: Any, cuda: Kind, alice: User) -> None:
    client.force_login(alice)
    text = json.dumps(with_option(schema_of(cuda), "warp-sum"))
    client.post(f"/admin/registry/kind/{cuda.pk}/revise/", {"source": text, "seen": "1"})
    assert cuda.revisions.count() == 1
