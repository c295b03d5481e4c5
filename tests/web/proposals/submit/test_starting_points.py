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
    assert page.fields["kind"] == "", "nothing is preselected"
    assert "start_from" not in page.fields
    assert page.queries == 1, "kinds"


def test_who_chooses_nothing_is_asked(form_client: FormClient) -> None:
    page = form_client.post({"do": "continue", "tag": "acme/x", "kind": "", "source": ""})
    assert page.status == 400
    assert "choose a kind, name a parent, or paste a text" in page.errors
    assert "#start_from" in page.links
    page = form_client.post({"do": "continue", "tag": "acme/x", "start_from": "kind"})
    assert (page.status, page.fields["start_from"]) == (400, "kind")
    assert "#kind" in page.links


def test_all_errors_of_the_first_step_are_shown_together(form_client: FormClient) -> None:
    page = form_client.post({"do": "continue", "tag": "", "parent": "arm/soc", "source": "x"})
    assert {"#tag", "#start_from"} <= set(page.links)
    page = form_client.post({"do": "continue", "tag": "", "source": ""})
    assert {"#tag", "#start_from"} <= set(page.links)


def test_existing_tag_needs_no_choice(form_client: FormClient, acme: Namespace) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    page = form_client.start("acme/x")
    assert (page.status, page.fields["f:/mcpu"]) == (200, "haswell")


def test_kind_of_tests_is_offered_to_nobody(form_client: FormClient) -> None:
    offered = '<option value="test"'
    assert offered not in form_client.open().html
    assert '<option value="cuda"' in form_client.open().html
    assert offered in form_client.open("/submit?kind=test").html, "who has it keeps it"
    assert form_client.start("acme/x", start_from="kind", kind="test").status == 200


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind: llvm\nmcpu: cortex-a76\nnum-cores: 4", "this is YAML. Expected: JSON"),
        ("devices:\n  - kind: llvm\n  - kind: cuda\n", "this is YAML. Expected: JSON"),
        ("---\n# my board\nkind: llvm", "this is YAML. Expected: JSON"),
        ("My board has an Arm CPU and 4 GB of memory.", "this is prose, not a target."),
        ("Raspberry Pi 5", "this is prose, not a target."),
    ],
)
def test_prose_and_yaml_are_refused_in_one_sentence(
    form_client: FormClient, text: str, words: str
) -> None:
    page = form_client.post({"do": "continue", "tag": "acme/x", "source": text})
    assert page.status == 400
    assert words in page.errors
    assert page.errors.count("Pasted text") == 1
    assert page.fields["source"] == text


@pytest.mark.parametrize(
    "text", ["llvm -mcpu=haswell", "cuda", "lvm -mcpu=x", "gcc -march=haswell", '{"kind": "llvm"}']
)
def test_targets_are_neither_prose_nor_yaml(form_client: FormClient, text: str) -> None:
    page = form_client.post({"do": "continue", "tag": "acme/x", "source": text})
    assert "prose" not in page.errors
    assert "YAML" not in page.errors


@pytest.mark.parametrize("kind", ["cuda", "llvm", "composite", "hexagon"])
def test_form_has_the_fields_of_the_kind(form_client: FormClient, kind: str) -> None:
    page = form_client.start("acme/x", start_from="kind", kind=kind)
    assert page.status == 200
    assert page.fields["role"] == "kind"
    assert page.fields["start_kind"] == kind
    assert page.fields["base"] == ""
    assert "First version" in page.text


def test_form_has_the_fields_of_the_parents_kind(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="parent", parent="nvidia/nvidia-a100, micro/aot")
    assert page.fields["role"] == "heir"
    assert page.fields["start_kind"] == "cuda"
    assert page.fields["f:/tag"] == "nvidia/nvidia-a100\nmicro/aot"


def test_existing_tag_starts_from_its_newest_body(form_client: FormClient, acme: Namespace) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    publish("acme/x", {"kind": "llvm", "mcpu": "skylake"})
    yank("acme/x@2.0.0")
    for page in (
        form_client.open("/submit?tag=acme/x"),
        form_client.start("acme/x", start_from="kind", kind="cuda"),
    ):
        assert page.fields["f:/mcpu"] == "haswell", "the newest version that is not yanked"
        assert page.fields["base"] == "2.0.0", "the version last published"
        assert "The form starts from its newest body, that of acme/x@1.0.0." in page.text


def test_new_tag_is_prefilled_in_the_first_step(form_client: FormClient) -> None:
    page = form_client.open("/submit?tag=acme/new&parent=arm/soc")
    assert page.status == 200
    assert page.fields["tag"] == "acme/new"
    assert page.fields["parent"] == "arm/soc"
    assert page.fields["start_from"] == "parent"


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
        (
            "$ clang --target=aarch64-linux-gnu \\\n  -mcpu=cortex-a53 -c a.c",
            "A command line of clang",
            "llvm",
            "cortex-a53",
        ),
        (
            "--iree-hal-target-backends=llvm-cpu --iree-llvmcpu-target-cpu=cortex-a53",
            "Flags of iree-compile",
            "llvm",
            "cortex-a53",
        ),
        (
            '{"kind": "llvm", // the host\n "mcpu": "cortex-a53",}',
            "The registry's own JSON.",
            "llvm",
            "cortex-a53",
        ),
        ('{"targets": {"cpu": {"kind": "llvm", "mcpu": "x"}}', "The registry's own JSON.", "", ""),
    ],
)
def test_format_of_pasted_text_is_detected(
    form_client: FormClient, text: str, format_summary: str, kind: str, mcpu: str
) -> None:
    page = form_client.start("acme/x", start_from="text", source=text)
    assert page.status == 200
    assert f"Detected format: {format_summary}" in page.text
    if kind:
        assert page.fields["start_kind"] == kind
        assert page.fields["f:/mcpu"] == mcpu
    else:
        assert page.fields["body"] == text


def test_import_notes_are_shown(form_client: FormClient) -> None:
    page = form_client.start(
        "acme/x", start_from="text", format="tvm-string", source="llvm --link-params"
    )
    assert page.status == 200
    assert "link-params" in page.text


@pytest.mark.parametrize(
    ("fields", "status", "href", "message"),
    [
        ({"tag": ""}, 400, "#tag", "Enter a name: namespace/name"),
        ({"tag": "nvidia/nvidia_A100"}, 400, "#tag", "Did you mean nvidia/nvidia-a100"),
        ({"tag": "acme/x", "kind": "cudaa"}, 404, "#kind", "Did you mean cuda?"),
        ({"tag": "acme/x", "start_from": "parent"}, 400, "#parent", "a parent is missing"),
        ({"tag": "acme/x", "parent": "arm/sock"}, 422, "#parent", "Did you mean arm/soc"),
        ({"tag": "acme/x", "parent": "arm/soc@9"}, 422, "#parent", "Did you mean arm/soc@1.0.0"),
        ({"tag": "acme/x", "parent": "arm"}, 422, "#parent", "Expected: namespace/name"),
        (
            {"tag": "acme/x", "start_from": "text", "source": " "},
            400,
            "#source",
            "a text is missing",
        ),
        (
            {"tag": "acme/x", "start_from": "text", "source": "{", "format": "xml"},
            406,
            "#source",
            "no importer xml",
        ),
        (
            {
                "tag": "acme/x",
                "start_from": "text",
                "source": "llvm -mcpuu=1",
                "format": "tvm-string",
            },
            422,
            "#source",
            "mcpuu",
        ),
        (
            {
                "tag": "a/x",
                "start_from": "text",
                "source": '{\n"kind": "sdaccel"}',
                "format": "tvm",
            },
            422,
            "#source",
            "Pasted text, line 2",
        ),
        (
            {"tag": "a/x", "start_from": "text", "source": '{"kind":\n}', "format": "tvm"},
            400,
            "#source",
            "Pasted text, line 2, column 1",
        ),
        (
            {
                "tag": "a/x",
                "start_from": "text",
                "source": "gcc -march=haswell",
                "format": "tvm-string",
            },
            422,
            "#source",
            "this looks like a command line of a compiler such as clang or nvcc",
        ),
        (
            {"tag": "a/x", "start_from": "text", "source": "gcc -march=native", "format": ""},
            422,
            "#source",
            "native is the machine that builds",
        ),
        (
            {
                "tag": "a/x",
                "start_from": "text",
                "source": 'a = Target("cuda -arch=sm_80")\nb = Target("cuda -arch=sm_86")',
                "format": "",
            },
            422,
            "#source",
            "the text has 2 different targets",
        ),
        (
            {
                "tag": "a/x",
                "start_from": "text",
                "source": "llvm  -mcpuu=1",
                "format": "tvm-string",
            },
            422,
            "#source",
            "Pasted text, line 1, column 7",
        ),
    ],
)
def test_first_step_keeps_invalid_input_with_its_errors(
    form_client: FormClient, fields: dict[str, str], status: int, href: str, message: str
) -> None:
    page = form_client.post({"do": "continue", **fields})
    assert page.status == status
    assert href in page.links
    assert message in page.errors
    for name in fields.keys() - {"format"}:
        assert page.fields[name] == fields[name], "the input is kept"


TEXT = '"cuda -arch=sm_89"'


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"start_from": "kind", "kind": "llvm", "source": TEXT},
            '"A kind" is chosen, but the form also has pasted text',
        ),
        (
            {"start_from": "kind", "parent": "arm/soc", "source": TEXT},
            '"A kind" is chosen, but the form also has a parent and pasted text',
        ),
        (
            {"start_from": "text", "parent": "arm/soc", "source": TEXT},
            '"Pasted text" is chosen, but the form also has a parent',
        ),
        (
            {"parent": "arm/soc", "source": TEXT},
            "nothing is chosen, but the form also has a parent and pasted text",
        ),
    ],
)
def test_contradictory_form_is_refused_and_nothing_typed_is_lost(
    form_client: FormClient, fields: dict[str, str], message: str
) -> None:
    page = form_client.post({"do": "continue", "tag": "acme/x", **fields})
    assert page.status == 400
    assert message in page.errors
    assert "#start_from" in page.links
    assert {name: page.fields.get(name) for name in fields} == fields


@pytest.mark.parametrize(
    ("fields", "kind", "pointer", "text"),
    [
        ({"source": TEXT}, "cuda", "f:/arch", "sm_89"),
        ({"parent": "arm/soc", "kind": "cuda"}, "c", "f:/tag", "arm/soc"),
        ({"kind": "rocm"}, "rocm", "f:/mcpu", ""),
    ],
)
def test_option_that_is_filled_in_is_chosen(
    form_client: FormClient, fields: dict[str, str], kind: str, pointer: str, text: str
) -> None:
    page = form_client.start("acme/x", **fields)
    assert (page.status, page.fields["start_kind"], page.fields[pointer]) == (200, kind, text)


@pytest.mark.parametrize(
    "fields",
    [
        {"start_from": "kind", "kind": "cuda"},
        {"start_from": "parent", "parent": "arm/soc, micro/aot"},
        {
            "start_from": "text",
            "source": "llvm -mcpu=haswell\n-num-cores=4",
            "format": "tvm-string",
        },
        {"start_from": "text", "source": f"llvm -mcpu=haswell {' ' * 5000}-num-cores=4"},
    ],
)
def test_begin_leads_to_a_url_that_opens_the_form_again(
    form_client: FormClient, fields: dict[str, str]
) -> None:
    page = form_client.post({"do": "continue", "tag": "acme/x", **fields})
    assert page.status == 302
    url = page.response["Location"]
    assert url.startswith("/submit?start_from=")
    assert len(url) < 4200
    first, again = form_client.open(url), form_client.open(url)
    assert first.status == again.status == 200
    assert first.fields["start_kind"], "the form, not the first step"
    without_key = {"key": "", "csrfmiddlewaretoken": ""}
    assert first.fields | without_key == again.fields | without_key


def test_long_text_that_is_no_longer_kept_is_asked_for_again(form_client: FormClient) -> None:
    source = f"llvm -mcpu=haswell {' ' * 5000}-num-cores=4"
    page = form_client.post({"do": "continue", "tag": "acme/x", "source": source})
    form_client.client.cookies.clear()
    page = form_client.open(page.response["Location"])
    assert page.status == 400
    assert "the pasted text, which is kept for an hour only, is missing" in page.errors
    assert (page.fields["tag"], page.fields["start_from"]) == ("acme/x", "text")


def test_text_that_is_pasted_for_an_existing_tag_becomes_its_next_version(
    form_client: FormClient, acme: Namespace
) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    for fields in ({"source": "llvm -mcpu=skylake"}, {"parent": "arm/soc"}):
        page = form_client.start("acme/x", **fields)
        assert page.fields["base"] == "1.0.0"
        assert "acme/x exists. This body would be its next version." in page.text


def test_parts_around_a_pasted_target_are_named(form_client: FormClient) -> None:
    source = 'tvmc compile --target="llvm -mcpu=haswell" model.onnx'
    page = form_client.start("acme/x", source=source)
    assert page.fields["f:/mcpu"] == "haswell"
    assert "Only the target was read. Left out: tvmc compile model.onnx" in page.text


@pytest.mark.parametrize("tag", ["nvidia/nvidia-a100", "acme/x"])
def test_facts_are_proposed_from_the_hardware_tab(
    form_client: FormClient, acme: Namespace, tag: str
) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    path = f"/submit?tag={tag}&amp;group=hardware#guided-hardware"
    assert path in form_client.open(f"/hardware/{tag}").links
    page = form_client.open(path.replace("&amp;", "&").partition("#")[0])
    group = page.html.partition('id="guided-hardware"')[2].partition("</section>")[0]
    assert "<details" in group.partition(" open>")[0]
    assert 'name="f:/hardware/memory_bytes"' in group


@pytest.mark.parametrize(
    ("searched", "tag"),
    [
        ("NVIDIA GeForce RTX 9090", "nvidia/geforce-rtx-9090"),
        ("c9.large", "c9.large"),
        ("AWS/c9.large", "aws/c9.large"),
        ("AWS/c9 (large)", "aws/c9-large"),
        ("nvidia", "nvidia"),
        ("Xeon® w9-3495X", "xeon-w9-3495x"),
        ("日本", ""),
    ],
)
def test_text_of_a_search_becomes_the_tag(form_client: FormClient, searched: str, tag: str) -> None:
    page = form_client.open(f"/submit?searched={searched}")
    assert page.status == 200
    assert page.fields["tag"] == tag
    is_unqualified = bool(tag) and "/" not in tag
    assert (f"Put a namespace and a slash before {tag}" in page.text) == is_unqualified


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
    page = form_client.start("acme/x", start_from="text", source=json.dumps(body), format="body")
    assert page.fields["f:/arch"] == "sm_87"
    page = form_client.press(page, "json")
    assert json.loads(page.fields["body"]) == body
    assert "f:/arch" not in page.fields
    page = form_client.press(page, "fields", body=page.fields["body"].replace("sm_87", "sm_90"))
    assert page.fields["f:/arch"] == "sm_90"
    assert page.fields["tag"] == "acme/x"
