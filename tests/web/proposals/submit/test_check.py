"""Checking and previewing a profile."""

import pytest

from registry.domain.reference import Reference
from registry.models import Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.tags import aliases
from registry.web.proposals.submit import preview
from tests.publishing import chain, publish, row_counts, yank
from tests.web.proposals.submit.conftest import FormClient

pytestmark = pytest.mark.django_db

GOOD = '{"kind": "llvm", "mcpu": "haswell"}'


def test_valid_body_shows_its_version_number(form_client: FormClient) -> None:
    before = row_counts()
    page = form_client.post_json("acme/x", GOOD)
    assert page.status == 200
    assert page.step == "Check"
    assert "this would be 1.0.0 , the first version" in page.text
    assert page.fields["body"] == GOOD
    assert row_counts() == before


def test_fault_links_to_its_line(form_client: FormClient) -> None:
    page = form_client.post_json(
        "acme/x", '{"kind": "cuda",\r\n "archh": "sm_87",\r\n "host": {"kind": "llvn"}}'
    )
    assert page.status == 422
    assert "Line 2, column 2" in page.errors
    assert "Did you mean arch?" in page.errors
    assert "#line-2" in page.links
    assert 'id="line-2"' in page.html
    assert 'data-pointer="/archh"' in page.html
    assert page.html.count("<title>Error: ") == 1


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ("", 400, "Line 1, column 1"),
        ('{"kind": "llvm",\n}', 400, "Line 1, column 16"),
        ('{"a":\n"b', 400, "Line 2, column 1"),
        ('{"kind": "llvm", "kind": "cuda"}', 400, "the key kind occurs twice"),
        ("[" * 200, 422, "nest more than 96 deep"),
        ('{"tag": "acme/nothing"}', 422, "acme/nothing"),
        ("[]", 422, "object"),
        ("null", 422, "object"),
        ('{"kind": "cudaa"}', 422, "Did you mean cuda"),
        ('{"kind": "llvm", "mcpu": "' + "x" * 70_000 + '"}', 413, "at most 65536"),
        ('{"kind": "llvm", "mcpu": "\\u0000"}', 400, "U+0000"),
        ('{"kind": "llvm", "mcpu": "<script>alert(1)</script>"}', 422, "<script>"),
    ],
)
def test_invalid_body_is_kept_with_its_errors(
    form_client: FormClient, body: str, status: int, message: str
) -> None:
    page = form_client.post_json("acme/x", body)
    assert page.status == status
    assert message in page.errors
    assert page.fields["body"] == body
    assert "<script>alert" not in page.html


def test_fault_links_to_its_field(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="cuda")
    page = form_client.press(page, "check", **{"f:/max_num_threads": "twelve", "f:/arch": "sm_87"})
    assert page.status == 422
    assert "#f:/max_num_threads" in page.links
    assert page.fields["f:/max_num_threads"] == "twelve"
    assert page.fields["f:/arch"] == "sm_87"
    page = form_client.press(page, "json")
    assert page.status == 422
    assert page.fields["f:/max_num_threads"] == "twelve", "invalid fields cannot become JSON"


def test_invalid_json_stays_in_the_editor(form_client: FormClient) -> None:
    page = form_client.post_json("acme/x", '{"kind": ', "fields")
    assert page.status == 400
    assert page.fields["body"] == '{"kind": '
    assert page.fields["mode"] == "json"


@pytest.mark.parametrize(
    ("fields", "status", "href", "message"),
    [
        ({"tag": ""}, 400, "#tag", "Enter a name: namespace/name"),
        ({"tag": "<b>x</b>"}, 400, "#tag", "is not a tag"),
        ({"tag": "nvidia/nvidia_A100"}, 400, "#tag", "nvidia/nvidia-a100"),
        ({"tag": "x\x00y/z"}, 400, "#tag", "is not a tag"),
        ({"message": "a\x07b"}, 400, "#message", "U+0007"),
        ({"message": "x" * 2001}, 400, "#message", "at most 2000"),
        ({"sources": "https://example.com\njavascript:alert(1)"}, 400, "#sources", "line 2"),
        ({"sources": "http://example.com"}, 400, "#sources", "https URL"),
        ({"sources": "\n".join(["https://example.com"] * 17)}, 400, "#sources", "at most 16"),
        ({"text": "\x9b"}, 400, "#refused", "U+009B"),
    ],
)
def test_fields_other_than_the_body_are_validated(
    form_client: FormClient, fields: dict[str, str], status: int, href: str, message: str
) -> None:
    page = form_client.post(
        {"tag": "acme/x", "mode": "json", "body": GOOD, "do": "check", **fields}
    )
    assert page.status == status
    assert message in page.errors
    assert href in page.links or href == "#refused"
    for name in fields.keys() - {"text"}:
        assert page.fields[name] == fields[name], "the input is kept"
    assert 'href="javascript:' not in page.html


@pytest.mark.parametrize("host", ["cortex-a76", "haswell"])
def test_processor_as_a_host_is_told_from_a_kind(form_client: FormClient, host: str) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="cuda")
    page = form_client.press(page, "check", **{"f:/host": host})
    assert page.status == 422
    assert f"{host} is a processor: write kind llvm with mcpu {host}, or a tag" in page.errors
    assert "#f:/host" in page.links
    page = form_client.press(page, "check", **{"f:/host": "llvm", "f:/host/mcpu": host})
    assert page.status == 200


@pytest.mark.parametrize("host", ["llvn", "no-such-thing"])
def test_other_unknown_hosts_are_no_processors(form_client: FormClient, host: str) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="cuda")
    page = form_client.press(page, "check", **{"f:/host": host})
    assert f"{host} is not a known kind" in page.errors
    assert "processor" not in page.errors


def test_missing_options_are_asked_for(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="byoc")
    page = form_client.press(page, "check", tag="")
    assert "Enter a name" in page.errors
    assert "Enter codegen." in page.errors
    assert {"#tag", "#f:/codegen"} <= set(page.links)


def test_unreadable_fields_hide_no_other_errors(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="cuda")
    texts = {"f:/thread_warp_size": "many", "f:/host": "llvn", "f:/arch": "sm_87"}
    page = form_client.press(page, "check", tag="x", message="\x01", **texts)
    links = {"#tag", "#message", "#f:/thread_warp_size", "#f:/host"}
    assert links <= set(page.links)
    assert "4 errors" in page.errors


def test_unreadable_device_causes_no_errors_of_others(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="composite")
    targets = {"f:/devices/0": "{", "f:/devices/1": "llvm", "f:/devices/2": "llvn"}
    page = form_client.press(page, "check", **targets)
    assert [link for link in page.links if link.startswith("#f:")] == ["#f:/devices/0"]


def test_summary_of_errors_takes_the_focus(form_client: FormClient) -> None:
    page = form_client.post_json("nope", GOOD)
    summary = page.html.partition('id="refused"')[0].rpartition("<")[2]
    assert 'tabindex="-1"' in summary
    assert "autofocus" in summary
    assert "autofocus" not in form_client.post_json("acme/x", GOOD).html


def test_all_errors_are_shown_together(form_client: FormClient) -> None:
    page = form_client.post_json("nope", '{"kind": ', "check", message="\x01", sources="ftp://x")
    assert {"#tag", "#message", "#sources", "#line-1"} <= set(page.links)


def test_markup_is_escaped(form_client: FormClient) -> None:
    page = form_client.post_json("acme/x", GOOD, "check", message='"><img src=x onerror=alert(1)>')
    assert page.status == 200
    assert "<img" not in page.html.partition("<main ")[2]
    assert page.fields["message"] == '"><img src=x onerror=alert(1)>'


def test_alias_is_refused(form_client: FormClient, acme: Namespace, alice: User) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    aliases.point_alias("acme/y", Reference.parse("acme/x"), actor=Actor.operator(alice))
    page = form_client.post_json("acme/y", GOOD)
    assert page.status == 409
    assert "#tag" in page.links
    assert "Did you mean acme/x?" in page.errors


def test_yanked_parent_is_refused_with_its_reason(form_client: FormClient, acme: Namespace) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    yank("acme/x@1.0.0")
    page = form_client.post_json("acme/y", '{"tag": "acme/x@1.0.0"}')
    assert page.status == 422
    assert "yanked: wrong figures" in page.errors


def test_lints_are_warnings(form_client: FormClient) -> None:
    page = form_client.post_json(
        "acme/x", '{"kind": "llvm",\n"mtriple": "x86_64-linux-gnu",\n"mcpu": "haswel"}'
    )
    assert page.status == 200
    assert "you can submit anyway" in page.text
    assert "#line-3" in page.links
    assert "Did you mean haswell" in page.text


def test_preview_shows_version_diff_impact_and_reviewers(
    form_client: FormClient, acme: Namespace, alice: User
) -> None:
    members.grant_role(
        acme, User.objects.create_user("cora"), Role.CURATOR, actor=Actor.operator(alice)
    )
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell", "num-cores": 4})
    publish("acme/y", {"tag": "acme/x", "keys": ["cpu", "y"]})
    page = form_client.press(
        form_client.open("/submit?tag=acme/x"), "preview", **{"f:/num-cores": "8"}
    )
    assert page.status == 200
    assert page.step == "Preview"
    assert "2.0.0, MAJOR" in page.text
    assert "some tuning records no longer match" in page.text
    assert "/num-cores 4 cores own 8 cores own" in page.text, "the diff"
    assert "acme/y" in page.text, "the impact"
    assert "review it: alice , cora ." in page.text
    assert page.fields["f:/num-cores"] == "8"


def test_preview_shows_facts_and_sources_in_rows_of_their_own(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="llvm")
    fields = {"f:/hardware/memory_bytes": "4 GiB", "sources": "https://example.org/board"}
    page = form_client.press(page, "preview", **fields)
    target, _, facts = page.text.partition("Hardware facts")
    assert "Memory 4 GiB 4294967296 bytes own" in facts
    assert "Sources of all facts example.org/board" in facts
    assert "https://example.org/board" in page.links
    assert "memory_bytes" not in target.partition("Resolved target")[2]


def test_forty_equal_devices_are_one_box(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="composite")
    fields = {"f:/devices/0": "40 x llvm", "f:/devices/1": "cuda", "f:/devices/1/arch": "sm_87"}
    page = form_client.press(page, "preview", **fields)
    assert page.status == 200
    assert "40 x llvm /devices/0, /devices/1, /devices/2 and 37 more" in page.text
    assert "/devices/40 cuda" in page.text
    assert page.html.count('<tr class="submit-node">') == 3
    assert page.text.count("without mtriple") <= 2, "once for all, and in the list of lints"
    assert page.fields["f:/devices/0"] == "40 x llvm"
    assert '"devices": [ "llvm", "llvm"' in " ".join(
        form_client.press(page, "json").fields["body"].split()
    )


def test_devices_that_differ_are_boxes_of_their_own(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="composite")
    fields = {f"f:/devices/{number}": "llvm" for number in range(2)}
    page = form_client.press(page, "preview", **fields, **{"f:/devices/1/mcpu": "haswell"})
    assert "2 x llvm" not in page.text
    assert page.html.count('<tr class="submit-node">') == 3


def test_preview_shows_near_duplicates_and_origins(form_client: FormClient) -> None:
    page = form_client.post_json(
        "acme/x", '{"tag": "nvidia/nvidia-a100", "l2_cache_size_bytes": 1234}', "preview"
    )
    assert "Same as nvidia/nvidia-a100@" in page.text
    assert "except /l2_cache_size_bytes ." in page.text
    assert "There is no namespace acme ." in page.text
    assert "Nobody: the namespace does not exist." in page.text
    assert "/l2_cache_size_bytes 1234 1.21 KiB own" in page.text
    assert any(link.startswith("/tags/nvidia/nvidia-a100@") for link in page.links)


def test_preview_of_an_unchanged_body_says_that_nothing_would_change(
    form_client: FormClient, acme: Namespace
) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    page = form_client.press(form_client.open("/submit?tag=acme/x"), "preview")
    assert page.status == 200
    assert "Nothing would change" in page.text


@pytest.mark.parametrize("body", ['{"mcpu": "haswell"}', '{"num-cores": 1, "mattr": ["+avx2"]}'])
def test_mixin_can_be_previewed(form_client: FormClient, body: str) -> None:
    page = form_client.post_json("acme/m", body, "preview")
    assert page.status == 200
    assert page.step == "Preview"


def test_unknown_namespace_suggests_similar_names(form_client: FormClient) -> None:
    page = form_client.post_json("nvidai/x", GOOD, "preview")
    assert "Did you mean nvidia ?" in page.text


def test_unknown_namespace_is_said_at_once_and_can_be_requested(form_client: FormClient) -> None:
    pages = [
        form_client.open("/submit?tag=initech/board"),
        form_client.post_json("initech/board", GOOD),
    ]
    for page in pages:
        assert page.status == 200
        assert "There is no namespace initech ." in page.text
        assert "/namespace-requests/new?name=initech" in page.links


def test_moved_tag_is_reported_and_can_become_the_base(
    form_client: FormClient, acme: Namespace
) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    page = form_client.open("/submit?tag=acme/x")
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell", "device": "box"}, message="a box")
    page = form_client.press(page, "check", **{"f:/num-cores": "8", "message": "eight"})
    assert page.status == 200
    assert "the last published is 2.0.0" in page.text
    page = form_client.press(page, "use-current")
    assert page.step == "Preview"
    assert page.fields["base"] == "2.0.0"
    assert page.fields["message"] == "eight"
    assert page.fields["f:/num-cores"] == "8"
    assert "the last published is" not in page.text


@pytest.mark.parametrize("base", ["1", "x", "\x00", "9.9.9", "1.0.0 "])
def test_invalid_base_offers_the_current_version(form_client: FormClient, base: str) -> None:
    page = form_client.post_json("acme/x", GOOD, "check", base=base)
    assert page.status == 200
    assert "Use the current version as the base" in page.text.replace("\u2019", "'")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "nonsense"},
        {"mode": "fields", "f:/arch": "sm_87"},
        {"mode": "fields", "role": "kind", "start_kind": "nope", "f:/arch": "sm_87"},
        {"mode": "fields", "role": "heir", "start_kind": "nope", "f:": "{"},
        {"key": "x", "seen": "-1", "proposal": "99999999999999999999", "saves": "1e9"},
        {"proposal": "7", "do": "use-current", "tag": "acme/x"},
    ],
)
def test_unexpected_fields_are_client_errors(
    form_client: FormClient, fields: dict[str, str]
) -> None:
    page = form_client.post(fields)
    assert 400 <= page.status < 500
    assert page.errors
    assert "sm_87" in page.html or "f:/arch" not in fields


@pytest.mark.parametrize("depth", [1, 12])
def test_query_count_does_not_depend_on_the_lineage(
    form_client: FormClient, acme: Namespace, depth: int
) -> None:
    parent = chain(depth)
    body = f'{{"tag": "{parent}", "num-cores": 99}}'
    assert form_client.post_json("acme/x", body).queries == 12
    assert form_client.post_json("acme/x", body, "preview").queries == 20


def test_large_upload_is_refused(form_client: FormClient) -> None:
    page = form_client.post_json("acme/x", "x" * 5_000_000)
    assert page.status == 413


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "a\x07b", "javascript:alert(1)", "\u202eabc", "\x00"]
)
@pytest.mark.parametrize("field", ["/device", "/arch", "/hardware/sources", "/host", "", "/keys"])
def test_no_field_accepts_markup_or_control_characters(
    form_client: FormClient, field: str, text: str
) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="cuda")
    page = form_client.press(page, "preview", **{f"f:{field}": text})
    assert page.status in (200, 422, 400)
    assert page.fields[f"f:{field}"] == text.strip("\x00") or "\x00" in text
    assert "<script>alert" not in page.html
    assert 'href="javascript:' not in page.html


def test_unknown_parent_is_an_error_of_its_field(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="parent", parent="nvidia/nvidia-a100")
    page = form_client.press(page, "check", **{"f:/tag": "nvidia/nvidia-a101"})
    assert page.status == 422
    assert "#f:/tag" in page.links
    assert "or nvidia/nvidia-a100 or" in page.errors


def test_mixin_cannot_be_the_first_parent(form_client: FormClient, acme: Namespace) -> None:
    publish("acme/mixin", {"num-cores": 4})
    page = form_client.start("acme/x", start_from="parent", parent="acme/mixin")
    assert page.status == 422
    assert "#parent" in page.links
    assert "acme/mixin" in page.errors
    page = form_client.start("acme/x", start_from="parent", parent="arm/soc")
    page = form_client.press(page, "check", **{"f:/tag": "acme/mixin"})
    assert page.status == 422
    assert "acme/mixin" in page.errors


def test_tag_with_the_same_target_is_a_warning(form_client: FormClient, acme: Namespace) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell", "model": "one-of-a-kind"})
    page = form_client.post_json("acme/y", '{"tag": "acme/x"}', "preview")
    assert "the target is identical to that of acme/x" in page.text


def test_query_count_of_an_existing_tag_does_not_depend_on_its_lineage(
    form_client: FormClient, acme: Namespace
) -> None:
    chain(9)
    for tag in ("acme/link-1", "acme/link-8"):
        assert form_client.open(f"/submit?tag={tag}").queries == 8


@pytest.mark.parametrize("count", [2, 3])
def test_parts_values_and_machines_that_are_left_out_are_counted(
    form_client: FormClient, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(preview, "MAX_PARTS", 2)
    monkeypatch.setattr(preview, "MAX_VALUES", 2)
    options = ["", '"model": "m"', '"num-cores": 4'][:count]
    device = '{"kind": "llvm"%s, "hardware": {"model": "Acme %d"}}'
    devices = ", ".join(
        f'"d{number}": ' + device % (", ".join(options), number) for number in range(count)
    )
    body = f'{{"kind": "composite", "devices": {{{devices}}}}}'
    page = form_client.post_json("acme/x", body, "preview")
    has_more = count > 2
    assert ("and 1 more value" in page.text) is has_more
    sentence = f"Showing the hardware facts of the first 2 of {count} machines."
    assert (sentence in page.text) is has_more
