"""The overview page of a tag."""

import html
import re
import shlex

import pytest
from django.test import Client

from registry import models
from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from tests.publishing import chain, publish, yank
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 1}
ANY = ["curl", "ttag", "Lock"]  # tools that support every target


def tabs(page: Page) -> list[str]:
    markup = page.html.partition('aria-label="Snippets for"')[2].partition("</nav>")[0]
    return re.findall(r">([^<>]+)</a>", markup)


def commands(page_html: str) -> list[str]:
    return [html.unescape(code) for code in re.findall(r"<code>(curl .*?)</code>", page_html)]


def test_page_shows_the_version_and_its_summary(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano:cuda")
    assert page.status == 200
    assert "NVIDIA Jetson Nano 4GB · cuda sm_53 · host llvm cortex-a57" in page.text
    assert "1.2.0 newest" in page.text
    assert re.search("Pinned .*recommended", page.text)


@pytest.mark.usefixtures("acme")
def test_page_says_how_far_compilers_got(visit: Visitor) -> None:
    text = visit("/tags/arm/soc").text
    assert "Compiles with TVM, clang" in text
    assert "writes source or assembly for it, which was not built further" in text
    assert "does not build it: IREE generates no code for the kind c but for aot on crt" in text
    publish(
        "acme/odd",
        BOARD | {"mtriple": "x86_64-unknown-linux-musl", "mcpu": "znver5", "mattr": ["+untried"]},
    )
    assert "not tested with it" in visit("/tags/acme/odd").text


def test_heading_names_no_compiler_that_builds_a_part_only(visit: Visitor) -> None:
    text = visit("/tags/nvidia/jetson-nano:cuda").text
    assert re.search(r"Compiles with TVM (?!,)", text)
    assert "does not build it: IREE does not support the arch sm_53" in text
    assert "/host : builds it; the machine code was read back" in text


def test_page_of_a_microcontroller_says_what_linking_needs(visit: Visitor) -> None:
    text = html.unescape(visit("/tags/arm/soc:aot").text)
    assert "Compiles with IREE" in text
    assert "link with IREE's runtime, which has to be built from source" in text
    assert "the root alone : writes source or assembly" in text
    assert "link with IREE's runtime" not in html.unescape(visit("/tags/arm/soc").text)


def test_pinned_and_floating_commands_work(visit: Visitor, client: Client) -> None:
    pinned, floating = commands(visit("/tags/nvidia/jetson-nano@1.0.0").html)
    answers = []
    for command in (pinned, floating):
        curl, options, url = shlex.split(command)
        assert (curl, options) == ("curl", "-fsS")
        answers.append(client.get(url.removeprefix("http://testserver")).json())
    assert [answer["version"] for answer in answers] == ["1.0.0", "1.1.1"]
    assert f"@{answers[0]['digest']}'" in pinned


def test_dependencies_are_linked(visit: Visitor) -> None:
    page = visit("/tags/arm/soc:aot")
    assert "inherits arm/soc@1 arm/soc@1.0.0" in page.text
    assert {"/tags/arm/soc@1", "/tags/arm/soc@1.0.0", "/tags/micro/aot@1.0.0"} <= {*page.links}


def test_digest_and_tuning_keys_are_shown(visit: Visitor, client: Client) -> None:
    answer = client.get("/api/v1/resolve/arm/soc:aot").json()
    page = visit("/tags/arm/soc:aot")
    assert answer["digest"] in page.text
    assert answer["tuning_keys"][""] in page.text
    assert "/api/v1/resolve/arm/soc:aot@1.0.0?format=tuning" in page.links


def test_build_key_is_shown(visit: Visitor, client: Client) -> None:
    key = client.get("/api/v1/resolve/nvidia/jetson-nano").json()["build_key"]
    assert key in visit("/tags/nvidia/jetson-nano").text


@pytest.mark.usefixtures("acme")
def test_host_dependent_target_shows_that_it_has_no_build_key(visit: Visitor) -> None:
    publish("acme/gpu", {"kind": "cuda"})
    publish("acme/patch", {"executor": "vm"})
    assert "None: a compiler completes this target" in visit("/tags/acme/gpu").text
    assert "Build key" not in visit("/tags/acme/patch").text


def test_first_hardware_facts_are_shown(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano:cuda")
    for fact in ("Memory bandwidth 25.6 GB/s", "Peak ops fp16 472 Gop/s", "Power 10 W"):
        assert fact in page.text
    assert "/hardware/nvidia/jetson-nano:cuda" in page.links


def test_values_are_counted_by_origin(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano:cuda")
    assert "Values: 13 from nvidia/jetson-nano@1.1.1 , 13 own." in page.text
    text = visit("/tags/nvidia/jetson-nano").text
    assert "None: the body sets every value itself." in text


def test_sections_keep_the_requested_version(visit: Visitor) -> None:
    links = visit("/tags/nvidia/jetson-nano@1.0.0").links
    for section in ("resolved", "composition", "lineage", "used-by", "hardware", "source"):
        assert f"/{section}/nvidia/jetson-nano@1.0.0" in links
    assert "/versions/nvidia/jetson-nano" in links


def test_tabs_are_tools_that_support_the_target(visit: Visitor) -> None:
    path = "/tags/nvidia/jetson-nano:cuda"
    assert tabs(visit(path)) == [*ANY, "Python", "TVM", "CMake", "clang", "nvcc"]
    # With a fragment, so that another tool leads to its commands, not to the top of the page.
    queries = ("", "?take=tvm", "?take=clang")
    assert {f"{path}{query}#snippets" for query in queries} <= {*visit(path).links}
    assert tabs(visit("/tags/example/two-machines")) == [*ANY, "Python", "TVM", "nvcc"]
    assert tabs(visit("/tags/micro/aot")) == [*ANY, "Python"]


def test_unsupported_tool_gives_the_reason_and_links_to_nodes(visit: Visitor) -> None:
    page = visit("/tags/example/two-machines?take=clang")
    assert page.status == 200
    assert "is not a CPU and has no CPU as its host" in page.text
    assert "/formats/example/two-machines?node=/devices/machine0/host" in page.links
    assert "Pinned" not in page.text


@pytest.mark.parametrize(
    ("take", "tool"),
    [("make", "cmake"), ("pyton", "python"), ("%3Ciree%3E", "iree"), ("curl%00", "curl")],
)
def test_unknown_tool_is_400_with_links_to_near_ones(visit: Visitor, take: str, tool: str) -> None:
    page = visit(f"/tags/arm/soc?take={take}")
    assert page.status == 400
    assert "is not valid: expected one of" in page.text
    assert f"/tags/arm/soc?take={tool}" in page.links
    assert "<iree>" not in page.html


def test_older_version_links_to_the_newest(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano@1.0.0")
    assert "1.0.0 newest is 1.1.1" in page.text
    assert "1.1.0 ▲ 1 lint rebuild, keep the tuning records" in page.text


def test_mixin_is_labelled(visit: Visitor) -> None:
    page = visit("/tags/micro/aot")
    assert "mixin: a patch for other targets · executor aot · runtime crt" in page.text
    assert "Tuning keys" not in page.text


@pytest.mark.usefixtures("acme")
def test_yanked_version_shows_the_reason(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 2})
    yank("acme/board@1.0.0", "wrong cores")
    page = visit("/tags/acme/board@1.0.0")
    assert "acme/board@1.0.0 was yanked: wrong cores" in page.text
    assert "recommended" not in page.text
    assert "Yanked: wrong cores" in visit("/tags/acme/board").text


@pytest.mark.usefixtures("acme")
def test_deprecated_tag_links_its_successor(visit: Visitor, alice: User) -> None:
    publish("acme/old", BOARD)
    publish("acme/new", BOARD | {"num-cores": 2})
    deprecation.deprecate(
        Tag.parse("acme/old"),
        reason="replaced",
        successor=Tag.parse("acme/new"),
        actor=Actor.operator(alice),
    )
    page = visit("/tags/acme/old")
    lead = (
        "Tags / acme acme/old ▲ Use acme/new instead. What differs acme/old is deprecated: replaced"
    )
    assert lead in page.text
    assert {"/tags/acme/new", "/diff/acme/old...acme/new"} <= {*page.links}
    assert visit("/diff/acme/old...acme/new").status == 200
    assert "for builds that depend on this deprecated tag" in page.text
    assert "recommended" not in page.text
    assert "Use acme" not in visit("/tags/acme/new").text


@pytest.mark.usefixtures("acme")
def test_fully_yanked_tag_is_404_with_its_versions(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    yank("acme/board@1.0.0", "never existed")
    page = visit("/tags/acme/board")
    assert page.status == 404
    assert "Yanked: never existed" in page.text
    assert "/tags/acme/board@1.0.0" in page.links


def test_alias_shows_its_tag(visit: Visitor) -> None:
    page = visit("/tags/nvidia/a100")
    assert page.status == 200
    assert "nvidia/a100 is an alias of nvidia/nvidia-a100" in page.text
    assert '<link rel="canonical" href="http://testserver/tags/nvidia/nvidia-a100">' in page.html


def test_alias_can_contain_a_comma(visit: Visitor) -> None:
    assert visit("/tags/nvidia/geforce-gt-730-ddr3,128bit").status == 200


@pytest.mark.usefixtures("acme")
def test_alias_with_quotes_is_escaped(visit: Visitor, alice: User) -> None:
    publish("acme/board", BOARD)
    alias = "acme/b'\"><i>$(id)"
    aliases.point_alias(alias, Reference.parse("acme/board"), actor=Actor.operator(alice))
    page = visit("/tags/acme/b'%22%3E%3Ci%3E$(id)")
    assert page.status == 200
    assert "<i>" not in page.html
    assert all(len(shlex.split(command)) == 3 for command in commands(page.html))


def test_slash_may_be_percent_encoded(visit: Visitor) -> None:
    assert visit("/tags/nvidia%2Fjetson-nano").status == 200


def test_json_is_an_alternate(visit: Visitor) -> None:
    page = visit("/tags/arm/soc@1")
    link = '<link rel="alternate" type="application/json" href="/api/v1/resolve/arm/soc@1"'
    assert link in page.html
    assert "/api/v1/resolve/arm/soc@1" in page.links


def test_unknown_tag_is_404_with_suggestions(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nanoo")
    assert page.status == 404
    assert "nvidia/jetson-nanoo" in page.text
    assert "/tags/nvidia/jetson-nano" in page.links
    assert page.html.count('class="suggestions"') == 1
    assert page.html.partition('class="suggestions"')[2].partition("</ul>")[0].count("<li>") <= 5


def test_unknown_version_is_404_with_the_existing_versions(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano@7")
    assert page.status == 404
    assert "/tags/nvidia/jetson-nano@1.1.1" in page.links


@pytest.mark.parametrize(
    "text",
    ["XX", "nvidia", "nvidia/", "a/b@x", "a/b%0Ac", "a/%00", "a/%FF", "a/b%3Cscript%3E", "x" * 300],
)
def test_invalid_reference_is_400_with_the_expected_syntax(visit: Visitor, text: str) -> None:
    page = visit(f"/tags/{text}")
    assert page.status == 400
    assert "namespace/name[:variant][@version]" in page.text
    assert "<script>" not in page.html.partition("<body")[2]


@pytest.mark.usefixtures("acme")
def test_text_of_authors_is_escaped(visit: Visitor) -> None:
    publish("acme/board", BOARD, message="<script>alert(1)</script>")
    yank("acme/board@1.0.0", "<img src=x>")
    page = visit("/tags/acme/board@1.0.0")
    assert "&lt;script&gt;alert(1)" in page.html
    assert "<script>" not in page.html
    assert "<img src=x>" not in page.html


@pytest.mark.usefixtures("acme")
def test_large_target_is_truncated(visit: Visitor) -> None:
    devices = {f"d{number}": BOARD | {"num-cores": number + 1} for number in range(200)}
    publish("acme/large", {"kind": "composite", "devices": devices})
    page = visit("/tags/acme/large")
    assert len(page.html) < 60_000  # and 30 KB of style and script
    assert re.search(r"The first \d+ of \d+ characters", page.text)
    assert "The first 6 of 200 tuning keys. Inputs of the tuning keys" in page.text
    assert "d0 (llvm haswell)" in page.text
    assert "and 196 more" in page.text


@pytest.mark.usefixtures("acme")
def test_large_target_offers_all_tools_and_renders_only_the_selected_one(visit: Visitor) -> None:
    devices = {f"d{number}": {"kind": "c", "model": "m" * 60} for number in range(400)}
    publish("acme/large", {"kind": "composite", "devices": devices})
    tools = ["Python", "TVM", "IREE", "CMake", "clang", "nvcc", "hipcc"]
    assert tabs(visit("/tags/acme/large")) == [*ANY, *tools]
    assert "is not a CPU" in visit("/tags/acme/large?take=cmake").text


@pytest.mark.usefixtures("acme")
def test_long_history_is_truncated_and_linked(visit: Visitor) -> None:
    for cores in range(1, 9):
        publish("acme/board", BOARD | {"num-cores": cores})
    page = visit("/tags/acme/board")
    assert "The newest 3 of 8." in page.text
    assert "/versions/acme/board" in page.links


@pytest.mark.usefixtures("acme")
def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    visit("/tags/acme/board")  # warms up the process
    expected = visit("/tags/acme/board").queries
    for cores in range(2, 12):
        publish("acme/board", BOARD | {"num-cores": cores})
    first = 4  # after a write, relations to other tags are read again
    assert visit("/tags/acme/board").queries == expected + first
    assert visit("/tags/acme/board").queries == expected == 10
    outdated = 1  # checks whether its references have moved
    assert visit(f"/tags/{chain(8)}").queries == visit("/tags/acme/link-2").queries
    assert visit("/tags/acme/link-2").queries == expected + outdated


@pytest.mark.usefixtures("acme")
def test_tag_is_described_with_its_variants(visit: Visitor) -> None:
    facts = {"category": "board", "vendor": "Acme", "model": "Board 7", "cores": 2}
    publish("acme/described", {"kind": "c", "model": "x", "hardware": facts})
    publish("acme/described:npu", {"kind": "ext_dev", "model": "y"})
    sentence = (
        "Acme Board 7 is a board with 2 cores. This target builds for its CPU, as C source. "
        "Variants: :npu for its neural processor."
    )
    assert sentence in visit("/tags/acme/described").text
    assert visit("/api/v1/tags/acme/described").response.json()["description"] == sentence
    other = visit("/api/v1/tags/acme/described:npu").response.json()["description"]
    assert other == "Acme Board 7 is a board with 2 cores. This target has the kind ext_dev."
    assert other in visit("/tags/acme/described:npu").text


@pytest.mark.usefixtures("acme")
def test_superseded_variant_is_not_offered(visit: Visitor, alice: User) -> None:
    facts = {"category": "board", "vendor": "Acme", "model": "Board 7"}
    publish("acme/described", {"kind": "c", "model": "x", "hardware": facts})
    for variant in ("big", "npu"):
        publish(f"acme/described:{variant}", {"kind": "ext_dev", "model": variant})
    old, new = Tag.parse("acme/described:big"), Tag.parse("acme/described")
    deprecation.deprecate(old, reason="The same", actor=Actor.operator(alice), successor=new)
    sentence = "Variants: :npu for its neural processor."
    assert sentence in visit("/tags/acme/described").text
    assert visit("/api/v1/tags/acme/described").response.json()["description"].endswith(sentence)


@pytest.mark.usefixtures("acme")
def test_family_is_described_with_its_variants(visit: Visitor) -> None:
    facts = {"category": "cloud-instance", "vendor": "Acme", "family": "G5: Acme CPU"}
    publish("acme/g5", {"kind": "c", "hardware": facts})
    publish("acme/g5:gpu", {"kind": "cuda", "arch": "sm_86", "hardware": facts})
    models.Tag.objects.filter(text__startswith="acme/g5").update(is_family=True)
    sentence = (
        "Acme G5 is a family of cloud instances with Acme CPU processors; choose one of them to "
        "build for. Variants: :gpu."
    )
    assert sentence in visit("/tags/acme/g5").text
    assert visit("/api/v1/tags/acme/g5").response.json()["description"] == sentence
    assert "Variants:" not in visit("/api/v1/tags/acme/g5:gpu").response.json()["description"]


def test_page_says_when_to_use_the_tag(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano:cuda")
    assert (
        "Use it when you compile for its GPU through CUDA, its host runs AArch64 Linux (cortex-a57)"
    ) in page.text
    assert "Use it when your own target needs the same executor" in visit("/tags/micro/aot").text


def test_variants_stand_side_by_side(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano:cuda")
    table = page.text.partition("Targets for parts of the same machine")[2].partition("Compil")[0]
    assert "Executor Newest nvidia/jetson-nano its GPU through CUDA none 1.1.1" in table
    assert "nvidia/jetson-nano:cuda this tag its GPU through CUDA vm 1.2.0" in table
    assert "same machine" not in visit("/tags/nvidia/nvidia-a100").text


@pytest.mark.usefixtures("acme")
def test_variants_show_what_they_state_differently(visit: Visitor) -> None:
    publish("acme/chip", {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a55"})
    publish("acme/chip:big", {"tag": "acme/chip@1", "mcpu": "cortex-a76"})
    text = visit("/tags/acme/chip").text
    assert (
        "Tag Builds for Processor Newest acme/chip this tag its CPU through LLVM cortex-a55 1.0.0 "
        "acme/chip:big its larger cores cortex-a76 1.0.0"
    ) in text
    publish("acme/chip:vulkan", {"kind": "vulkan"})
    text = visit("/tags/acme/chip").text
    assert "Tag Builds for Kind Processor Newest" in text
    assert "acme/chip:vulkan its GPU through Vulkan vulkan \u2013 1.0.0" in text


def test_downloads_are_pinned(visit: Visitor, client: Client) -> None:
    page = visit("/tags/nvidia/jetson-nano@1.0.0")
    links = dict(re.findall(r'class="download" href="([^"]*)" download="([^"]*)"', page.html))
    assert list(links.values()) == [
        f"nvidia-jetson-nano.{extension}"
        for extension in ("json", "target.json", "tvm.json", "cmake", "nvcc.flags")
    ]
    for url in links:
        assert "/nvidia/jetson-nano@sha256:" in url
        assert client.get(url).headers["Target-Version"] == "1.0.0"


def test_version_can_be_cited(visit: Visitor) -> None:
    page = visit("/tags/nvidia/jetson-nano@1.0.0")
    digest = re.search(r"sha256:[0-9a-f]{64}", page.html)
    assert digest
    assert f"nvidia/jetson-nano@1.0.0 ({digest[0]}), Target Tag Registry, " in page.text
    assert "@misc{nvidia-jetson-nano-1-0-0," in page.text


@pytest.mark.usefixtures("acme")
def test_credits_name_the_writers_and_keepers(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    assert "Maintained by alice All about acme Written by alice" in visit("/tags/acme/board").text
    assert "Maintained by the staff of this registry" in visit("/tags/nvidia/jetson-nano").text


@pytest.mark.usefixtures("acme")
def test_replaced_tags_are_named(visit: Visitor, alice: User) -> None:
    publish("acme/old", BOARD)
    publish("acme/new", BOARD | {"num-cores": 2})
    deprecation.deprecate(
        Tag.parse("acme/old"),
        reason="replaced",
        successor=Tag.parse("acme/new"),
        actor=Actor.operator(alice),
    )
    assert "It replaces acme/old ." in visit("/tags/acme/new").text


@pytest.mark.usefixtures("acme")
def test_facts_are_a_table_and_not_in_the_json(visit: Visitor) -> None:
    facts = {"vendor": "Acme", "model": "Board", "memory_bytes": 4 * 1024**3}
    publish("acme/facts", {"kind": "llvm", "num-cores": 4, "hardware": facts})
    page = visit("/tags/acme/facts")
    shown = page.html.partition("The target as JSON")[2].partition("</pre>")[0]
    assert "num-cores" in shown
    assert "memory_bytes" not in shown
    assert "4 GiB" in page.text
    assert "/api/v1/resolve/acme/facts@1.0.0?format=target" in page.links


@pytest.mark.usefixtures("acme")
def test_page_begins_with_what_a_chooser_needs(visit: Visitor) -> None:
    facts = {"category": "board", "vendor": "Acme", "model": "Seven", "cores": 2}
    for tag in ("acme/seven", "acme/seven-plus", "acme/seven:aot"):
        publish(tag, BOARD | {"hardware": facts, "model": tag})
    page = visit("/tags/acme/seven")
    assert re.findall(r"<h2[^>]*>([^<]*)</h2>", page.html) == [
        "Use it",
        "Target",
        "Facts",
        "Not this one?",
        "Variants",
        "Compilers",
        "Lints",
        "Versions",
        "Details",
        "Change",
    ]
    assert page.text.index("Acme Seven is a board") < page.text.index("Use it")


@pytest.mark.usefixtures("acme")
def test_only_who_can_publish_is_told_so(visit: Visitor, client: Client, alice: User) -> None:
    publish("acme/board", BOARD)
    text = "Propose a change submit a new version for review, or publish it"
    assert text not in visit("/tags/acme/board").text
    client.force_login(User.objects.create_user("reader"))
    assert text not in visit("/tags/acme/board").text
    client.force_login(alice)
    assert text in visit("/tags/acme/board").text


@pytest.mark.usefixtures("acme")
def test_what_experts_need_is_folded(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    folded = "".join(
        re.findall(r"<details>(.*?)</details>", visit("/tags/acme/board").html, re.DOTALL)
    )
    for text in ("Tuning key", "Build key", "Digest", "Dependencies", "BibTeX", "Floating"):
        assert text in folded
    assert "Pinned" not in folded


def test_badge_and_its_markdown_are_offered(visit: Visitor, client: Client) -> None:
    page = visit("/tags/nvidia/jetson-nano:cuda@1.0.0")
    assert (
        "[![target: nvidia/jetson-nano:cuda](http://testserver/badges/nvidia/jetson-nano:cuda.svg)]"
        "(http://testserver/tags/nvidia/jetson-nano:cuda)"
    ) in page.html
    images = re.findall(r'<img src="(/badges/[^"]*)" alt="([^"]*)"', page.html)
    assert images == [("/badges/nvidia/jetson-nano:cuda.svg", "target: nvidia/jetson-nano:cuda")]
    assert client.get(images[0][0]).status_code == 200


def test_links_to_the_page_have_a_preview_without_an_image(visit: Visitor) -> None:
    page = visit("/tags/nvidia/a100")
    properties = dict(re.findall(r'<meta property="og:([a-z_]*)" content="([^"]*)">', page.html))
    assert properties == {
        "type": "website",
        "site_name": "Target Tag Registry",
        "title": "nvidia/a100",
        "description": properties["description"],
        "url": "http://testserver/tags/nvidia/nvidia-a100",
    }
    assert properties["description"] in html.escape(page.text)
    hosts = re.findall(
        r'(?:src|srcset|href)="(?:https?:)?//([^/"]*)', page.html.partition("<main")[0]
    )
    assert {*hosts} <= {"testserver"}


@pytest.mark.usefixtures("acme")
def test_preview_escapes_what_authors_wrote(visit: Visitor) -> None:
    publish("acme/odd", BOARD | {"hardware": {"category": "board", "model": '"><script>'}})
    head = visit("/tags/acme/odd").html.partition("<body")[0]
    assert "&quot;&gt;&lt;script&gt;" in head
    assert '"><script>' not in head
