"""The first step, and the form that it opens."""

import json

import pytest

from registry.models import Name, Namespace
from tests.publishing import publish, yank
from tests.web.proposals.submit.conftest import FormClient

pytestmark = pytest.mark.django_db


def test_anonymous_users_can_start(form_client: FormClient) -> None:
    page = form_client.open()
    assert page.status == 200
    assert page.response["Cache-Control"] == "no-store"
    assert page.step == "Fill in"
    assert page.fields["kind"] == "llvm"
    assert page.queries == 1, "kinds"


@pytest.mark.parametrize("kind", ["cuda", "llvm", "composite", "hexagon"])
def test_form_has_the_fields_of_the_kind(form_client: FormClient, kind: str) -> None:
    page = form_client.start("acme/x", how="kind", kind=kind)
    assert page.status == 200
    assert page.fields["role"] == "kind"
    assert page.fields["of"] == kind
    assert page.fields["base"] == ""
    assert "First version" in page.text


def test_form_has_the_fields_of_the_parents_kind(form_client: FormClient) -> None:
    page = form_client.start("acme/x", how="parent", parent="nvidia/nvidia-a100, arm/neon")
    assert page.fields["role"] == "heir"
    assert page.fields["of"] == "cuda"
    assert page.fields["f:/tag"] == "nvidia/nvidia-a100\narm/neon"


def test_existing_tag_starts_from_its_newest_body(form_client: FormClient, acme: Namespace) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    publish("acme/x", {"kind": "llvm", "mcpu": "skylake"})
    yank("acme/x@2.0.0")
    for page in (
        form_client.open("/submit?tag=acme/x"),
        form_client.start("acme/x", how="kind", kind="cuda"),
    ):
        assert page.fields["f:/mcpu"] == "haswell", "the newest version that is not yanked"
        assert page.fields["base"] == "2.0.0", "the version last published"
        assert "The form starts from its newest body, that of acme/x@1.0.0." in page.text


def test_new_tag_is_prefilled_in_the_first_step(form_client: FormClient) -> None:
    page = form_client.open("/submit?tag=acme/new&parent=arm/soc")
    assert page.status == 200
    assert page.fields["tag"] == "acme/new"
    assert page.fields["parent"] == "arm/soc"
    assert page.fields["how"] == "parent"


@pytest.mark.parametrize(
    ("text", "format_summary", "kind", "mcpu"),
    [
        (
            "llvm -mcpu=cortex-a53 -num-cores=4",
            "The command line that TVM accepted",
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
            "A target of TVM",
            "llvm",
            "cortex-a53",
        ),
        (
            'tvm.target.Target("llvm -mcpu=cortex-a53")',
            "A target of TVM",
            "llvm",
            "cortex-a53",
        ),
        (
            "{'kind': 'llvm', 'mcpu': 'cortex-a53'}",
            "A target of TVM",
            "llvm",
            "cortex-a53",
        ),
        ('{"targets": {"cpu": {"kind": "llvm", "mcpu": "x"}}', "The registry's own JSON.", "", ""),
    ],
)
def test_format_of_pasted_text_is_detected(
    form_client: FormClient, text: str, format_summary: str, kind: str, mcpu: str
) -> None:
    page = form_client.start("acme/x", how="text", source=text)
    assert page.status == 200
    assert f"Detected format: {format_summary}" in page.text
    if kind:
        assert page.fields["of"] == kind
        assert page.fields["f:/mcpu"] == mcpu
    else:
        assert page.fields["body"] == text


def test_import_notes_are_shown(form_client: FormClient) -> None:
    page = form_client.start("acme/x", how="text", format="tvm-string", source="llvm --link-params")
    assert page.status == 200
    assert "link-params" in page.text


@pytest.mark.parametrize(
    ("fields", "status", "href", "message"),
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
def test_first_step_keeps_invalid_input_with_its_errors(
    form_client: FormClient, fields: dict[str, str], status: int, href: str, message: str
) -> None:
    page = form_client.post({"do": "begin", **fields})
    assert page.status == status
    assert href in page.links
    assert message in page.errors
    for name in fields.keys() - {"format"}:
        assert page.fields[name] == fields[name], "the input is kept"


def test_alias_suggests_its_tag(form_client: FormClient) -> None:
    alias = Name.objects.filter(is_alias=True).select_related("tag").first()
    assert alias
    page = form_client.open(f"/submit?tag={alias.text}")
    assert page.status in (400, 409)
    assert alias.tag.text in page.errors


@pytest.mark.parametrize(
    "query", ["tag=%00", "tag=<b>", "how=x&format=y&kind=z", "tag=a&tag=b", "parent=%ff", "%"]
)
def test_invalid_query_is_never_a_server_error(form_client: FormClient, query: str) -> None:
    page = form_client.open(f"/submit?{query}")
    assert page.status in (200, 400)
    assert "<b>" not in page.html.partition("<main ")[2].partition("Start from")[0].replace(
        "<b></b>", ""
    )


def test_body_can_be_converted_between_fields_and_json(form_client: FormClient) -> None:
    body = {"kind": "cuda", "arch": "sm_87", "host": {"kind": "llvm", "mcpu": "cortex-a78"}}
    page = form_client.start("acme/x", how="text", source=json.dumps(body), format="body")
    assert page.fields["f:/arch"] == "sm_87"
    page = form_client.press(page, "json")
    assert json.loads(page.fields["body"]) == body
    assert "f:/arch" not in page.fields
    page = form_client.press(page, "fields", body=page.fields["body"].replace("sm_87", "sm_90"))
    assert page.fields["f:/arch"] == "sm_90"
    assert page.fields["tag"] == "acme/x"
