"""The first step: what a profile begins with."""

import json

import pytest

from registry.models import Name, Namespace
from tests.publishing import publish, yank
from tests.web.proposals.submit.conftest import Desk

pytestmark = pytest.mark.django_db


def test_anybody_can_begin(desk: Desk) -> None:
    page = desk.open()
    assert page.status == 200
    assert page.response["Cache-Control"] == "no-store"
    assert page.step == "Fill in"
    assert page.fields["kind"] == "llvm"
    assert page.queries == 1, "kinds"


@pytest.mark.parametrize("kind", ["cuda", "llvm", "composite", "hexagon"])
def test_a_kind_gives_its_fields(desk: Desk, kind: str) -> None:
    page = desk.begin("acme/x", how="kind", kind=kind)
    assert page.status == 200
    assert page.fields["role"] == "kind"
    assert page.fields["of"] == kind
    assert page.fields["base"] == ""
    assert "First version" in page.text


def test_a_parent_gives_the_fields_of_its_kind(desk: Desk) -> None:
    page = desk.begin("acme/x", how="parent", parent="nvidia/nvidia-a100, arm/neon")
    assert page.fields["role"] == "heir"
    assert page.fields["of"] == "cuda"
    assert page.fields["f:/tag"] == "nvidia/nvidia-a100\narm/neon"


def test_a_tag_that_exists_begins_with_its_newest_body(desk: Desk, acme: Namespace) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    publish("acme/x", {"kind": "llvm", "mcpu": "skylake"})
    yank("acme/x@2.0.0")
    for page in (desk.open("/submit?tag=acme/x"), desk.begin("acme/x", how="kind", kind="cuda")):
        assert page.fields["f:/mcpu"] == "haswell", "of the newest that is not yanked"
        assert page.fields["base"] == "2.0.0", "the version last published"
        assert "acme/x exists: this begins with the body of acme/x@1.0.0" in page.text


def test_a_tag_that_does_not_exist_stands_in_the_first_step(desk: Desk) -> None:
    page = desk.open("/submit?tag=acme/new&parent=arm/soc")
    assert page.status == 200
    assert page.fields["tag"] == "acme/new"
    assert page.fields["parent"] == "arm/soc"
    assert page.fields["how"] == "parent"


@pytest.mark.parametrize(
    ("text", "words", "kind", "mcpu"),
    [
        (
            "llvm -mcpu=cortex-a53 -num-cores=4",
            "The command line that TVM took",
            "llvm",
            "cortex-a53",
        ),
        (
            '{"kind": "llvm", "mcpu": "cortex-a53"}',
            "The registry's own JSON.",
            "llvm",
            "cortex-a53",
        ),
        (
            '{"kind": "llvm", "mcpu": "cortex-a53", "link-params": true}',
            "A JSON target of TVM",
            "llvm",
            "cortex-a53",
        ),
        ('{"targets": {"cpu": {"kind": "llvm", "mcpu": "x"}}', "The registry's own JSON.", "", ""),
    ],
)
def test_pasted_text_is_recognised(desk: Desk, text: str, words: str, kind: str, mcpu: str) -> None:
    page = desk.begin("acme/x", how="text", source=text)
    assert page.status == 200
    assert f"Found out what it is: {words}" in page.text
    if kind:
        assert page.fields["of"] == kind
        assert page.fields["f:/mcpu"] == mcpu
    else:
        assert page.fields["body"] == text


def test_what_an_import_says_is_shown(desk: Desk) -> None:
    page = desk.begin("acme/x", how="text", format="tvm-string", source="llvm --link-params")
    assert page.status == 200
    assert "link-params" in page.text


@pytest.mark.parametrize(
    ("asked", "status", "href", "words"),
    [
        ({"tag": ""}, 400, "#tag", "is not a tag"),
        ({"tag": "nvidia/nvidia_A100"}, 400, "#tag", "Did you mean nvidia/nvidia-a100"),
        ({"tag": "acme/x", "kind": "cudaa"}, 404, "#kind", "Did you mean cuda?"),
        ({"tag": "acme/x", "how": "parent"}, 400, "#parent", "a parent is missing"),
        ({"tag": "acme/x", "how": "text", "source": " "}, 400, "#source", "a text is missing"),
        (
            {"tag": "acme/x", "how": "text", "source": "{", "format": "xml"},
            406,
            "#source",
            "no importer xml",
        ),
        (
            {"tag": "acme/x", "how": "text", "source": "llvm -mcpuu=1", "format": "tvm-string"},
            422,
            "#source",
            "mcpuu",
        ),
        (
            {"tag": "a/x", "how": "text", "source": '{\n"kind": "sdaccel"}', "format": "tvm"},
            422,
            "#source",
            "Pasted text, line 2",
        ),
        (
            {"tag": "a/x", "how": "text", "source": '{"kind":\n}', "format": "tvm"},
            400,
            "#source",
            "Pasted text, line 2, column 1",
        ),
        (
            {"tag": "a/x", "how": "text", "source": "llvm  -mcpuu=1", "format": "tvm-string"},
            422,
            "#source",
            "Pasted text, line 1, column 7",
        ),
    ],
)
def test_what_cannot_be_begun_says_why(
    desk: Desk, asked: dict[str, str], status: int, href: str, words: str
) -> None:
    page = desk.send({"do": "begin", **asked})
    assert page.status == status
    assert href in page.links
    assert words in page.told
    for name in asked.keys() - {"format"}:
        assert page.fields[name] == asked[name], "nothing typed is lost"


def test_an_alias_leads_to_its_tag(desk: Desk) -> None:
    alias = Name.objects.filter(is_alias=True).select_related("tag").first()
    assert alias
    page = desk.open(f"/submit?tag={alias.text}")
    assert page.status in (400, 409)
    assert alias.tag.text in page.told


@pytest.mark.parametrize(
    "query", ["tag=%00", "tag=<b>", "how=x&format=y&kind=z", "tag=a&tag=b", "parent=%ff", "%"]
)
def test_nonsense_in_the_address_is_no_fault_of_the_registry(desk: Desk, query: str) -> None:
    page = desk.open(f"/submit?{query}")
    assert page.status in (200, 400)
    assert "<b>" not in page.html.partition("<main ")[2].partition("Begin with")[0].replace(
        "<b></b>", ""
    )


def test_the_faces_say_the_same_body(desk: Desk) -> None:
    body = {"kind": "cuda", "arch": "sm_87", "host": {"kind": "llvm", "mcpu": "cortex-a78"}}
    page = desk.begin("acme/x", how="text", source=json.dumps(body), format="body")
    assert page.fields["f:/arch"] == "sm_87"
    page = desk.press(page, "json")
    assert json.loads(page.fields["body"]) == body
    assert "f:/arch" not in page.fields
    page = desk.press(page, "fields", body=page.fields["body"].replace("sm_87", "sm_90"))
    assert page.fields["f:/arch"] == "sm_90"
    assert page.fields["tag"] == "acme/x"
