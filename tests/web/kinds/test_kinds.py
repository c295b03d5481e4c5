"""The pages of kinds and their options."""

import html
import re

import pytest

from registry.domain.kinds.kinds import Kind
from registry.domain.kinds.schema import MAX_OPTIONS
from registry.models import User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.search import kind_counts
from registry.web.kinds.options import accepts, option_rows
from tests.publishing import publish
from tests.services.kinds.schemas import with_option, without_options
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db

TIMES = "\N{MULTIPLICATION SIGN}"
MAX_BYTES = 88_000  # of the 100 KB for a page; styles and scripts take 10


def option_html(page: Page, option: str) -> str:
    match = re.search(rf'<tr id="option-{re.escape(option)}">.*?</tr>', page.html, re.DOTALL)
    assert match
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<wbr>", "", match[0])))


def option_text(page: Page, option: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", option_html(page, option)))


def option_links(page: Page, option: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', option_html(page, option))


def test_every_kind_is_listed_and_has_a_page(visit: Visitor) -> None:
    index = visit("/kinds/")
    for name in kinds.current_kinds().kinds:
        assert f"/kinds/{name}" in index.links
        assert visit(f"/kinds/{name}").status == 200


def test_list_counts_tags_and_links_to_them(visit: Visitor) -> None:
    index = visit("/kinds/")
    totals = kind_counts.kind_totals()
    assert f'<a href="/?kind=cuda">{totals["cuda"].tags}<' in index.html
    assert f'<a href="/?where=/host/kind=llvm">{totals["llvm"].hosts}<' in index.html
    assert "/?where=/executor/kind=aot" in index.links
    assert "/?kind=webgpu" not in index.links  # no tag has it
    assert "/?kind=mixin" in index.links


def test_option_shows_type_default_unit_consumers_and_tuning(visit: Visitor) -> None:
    page = visit("/kinds/cuda")
    text = option_text(page, "thread_warp_size")
    assert "integer, 1 to 1,024; default 32 ; in threads" in text
    assert "tuning; affects tuning: yes" in text
    assert "Threads that run in lockstep" in text
    assert "Thread binding and reductions across threads are built around it." in text
    assert "affects tuning: counts as yes" in option_text(page, "registers_per_block")


def test_hardware_says_once_that_people_read_it(visit: Visitor) -> None:
    page = visit("/kinds/hardware")
    assert "for people and for comparison; never an input of a compiler" in page.text
    assert "A fact for people" not in page.text
    assert "affects tuning" not in page.text
    assert "annotation" not in page.text
    assert "people; affects tuning: yes" not in option_text(visit("/kinds/llvm"), "mcpu")


def test_option_shows_its_values_with_counts_and_links(visit: Visitor, acme: object) -> None:
    publish("acme/a", {"kind": "test", "model": "one", "device": "a"})
    publish("acme/b", {"kind": "test", "model": "one"})
    publish("acme/c", {"kind": "cuda", "arch": "sm_53", "host": {"kind": "test", "model": "x"}})
    page = visit("/kinds/test")
    assert "Tags 2 , 1 as host" in page.text
    assert f"2 of 2 one {TIMES} 2 1 of 1 as host x {TIMES} 1" in option_text(page, "model")
    assert f"1 of 2 a {TIMES} 1" in option_text(page, "device")
    assert "no tag" in option_text(page, "libs")
    assert option_links(page, "model")[1:] == [
        "/?kind=test&where=/model=one",
        "/?where=/host/kind=test&where=/host/model=x",
    ]


def test_count_links_to_a_list_of_that_many_tags(visit: Visitor) -> None:
    page = visit("/kinds/llvm")
    match = re.search(rf'href="([^"]*)">haswell</a> {TIMES} (\d+)', option_html(page, "mcpu"))
    assert match
    tag_list = visit(match[1])
    assert tag_list.status == 200
    rows = re.findall(r'aria-label="Compare [^"]*"> <a href="/tags/', tag_list.html)
    assert len(rows) == int(match[2])


def test_raw_value_is_followed_by_a_readable_one(visit: Visitor) -> None:
    assert f"33554432 32 MiB {TIMES} 2" in option_text(visit("/kinds/cuda"), "l2_cache_size_bytes")


def test_default_in_bytes_has_a_readable_value() -> None:
    schema = {"properties": {"stack": {"type": "integer", "default": 49152, "x-unit": "bytes"}}}
    (stack, *_) = option_rows(Kind("board", 1, schema))
    assert (stack["default"], stack["human_default"]) == ("49152", "48 KiB")


def test_object_option_is_not_reported_as_unused(visit: Visitor) -> None:
    assert "objects are not counted" in option_text(visit("/kinds/hardware"), "peak_ops_per_s")


def test_text_of_schemas_is_escaped(visit: Visitor, alice: User) -> None:
    hostile = {"description": "<b>bold</b>", "x-reason": "<script>", "x-unit": "<i>"}
    schema = with_option(dict(shipped_facts.kinds()["llvm"]), "warp-sum", **hostile)
    kinds.revise_kind("llvm", schema, actor=Actor.operator(alice))
    page = visit("/kinds/llvm")
    assert "&lt;b&gt;bold&lt;/b&gt;" in page.html
    assert "<b>bold" not in page.html
    assert page.html.count("<script") == visit("/kinds/cuda").html.count("<script")


def test_revisions_list_their_changes(visit: Visitor, alice: User) -> None:
    llvm = dict(shipped_facts.kinds()["llvm"])
    kinds.revise_kind("llvm", with_option(llvm, "warp-sum", minimum=1), actor=Actor.operator(alice))
    kinds.revise_kind("llvm", with_option(llvm, "warp-sum", minimum=2), actor=Actor.operator(alice))
    page = visit("/kinds/llvm")
    revisions = page.text.partition("Revisions")[2]
    assert revisions.index("option warp-sum, range") < revisions.index("option warp-sum added")
    assert "3 current by alice" in revisions
    assert "1 superseded, the first" in revisions
    assert "since revision 2" in option_text(page, "warp-sum")


def test_long_revision_is_truncated(visit: Visitor, alice: User) -> None:
    kinds.revise_kind("webgpu", kind_with_options(40), actor=Actor.operator(alice))
    assert "and 28 more" in visit("/kinds/webgpu").text


def test_page_of_the_largest_kind_is_small_and_describes_one_option_in_full(
    visit: Visitor, alice: User
) -> None:
    kinds.revise_kind("webgpu", kind_with_options(MAX_OPTIONS - 4), actor=Actor.operator(alice))
    page = visit("/kinds/webgpu")
    assert len(page.html.encode()) < MAX_BYTES
    assert "A reason" not in page.text
    link = "?option=a_rather_long_name_of_an_option_7"
    assert link in option_links(page, "a_rather_long_name_of_an_option_7")
    page = visit(f"/kinds/webgpu{link}")
    assert "A reason" in option_text(page, "a_rather_long_name_of_an_option_7")
    assert page.text.count("A reason") == 1


def kind_with_options(count: int) -> dict[str, object]:
    schema = without_options(dict(shipped_facts.kinds()["webgpu"]))
    for number in range(count):
        schema = with_option(
            schema,
            f"a_rather_long_name_of_an_option_{number}",
            description="What an option is for, in one sentence of about eighty characters, or so.",
            **{
                "x-reason": "A reason for that, of as many characters, so that it is worth reading."
            },
        )
    return schema


@pytest.mark.parametrize("option", ["mcpuu", "%00", "%3Cscript%3E", "x" * 3000])
def test_unknown_option_is_400_with_suggestions(visit: Visitor, option: str) -> None:
    page = visit(f"/kinds/llvm?option={option}")
    assert page.status == 400
    assert ("/kinds/llvm#option-mcpu" in page.links) == (option == "mcpuu")
    assert "<script>" not in page.html.partition("<body")[2]


def test_kind_of_an_executor_has_a_page(visit: Visitor) -> None:
    page = visit("/kinds/executor/aot")
    assert "one of packed, c" in option_text(page, "interface-api")
    assert "/api/v1/kinds/executor/aot" in page.links
    assert "/?where=/executor/kind=aot&amp;where=/executor/interface-api=c" in page.links


def test_flow_accepts_other_names(visit: Visitor) -> None:
    assert "any other dotted name" in visit("/kinds/flow").text


@pytest.mark.parametrize("name", ["cudaa", "executor/aott", "%00", "a%0Ab", "%3Cscript%3E"])
def test_unknown_kind_is_404(visit: Visitor, name: str) -> None:
    page = visit(f"/kinds/{name}")
    assert page.status == 404
    assert "<script>" not in page.html.partition("<body")[2]


def test_unknown_kind_has_suggestions(visit: Visitor) -> None:
    assert "/kinds/cuda" in visit("/kinds/cudaa").links
    assert "/kinds/executor/aot" in visit("/kinds/executor/aott").links


@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_grow_with_tags_or_options(visit: Visitor, alice: User) -> None:
    publish("acme/first", {"kind": "webgpu", "model": "m"})
    kinds.current_kinds()
    before = visit("/kinds/webgpu"), visit("/kinds/")
    kinds.revise_kind("webgpu", kind_with_options(50), actor=Actor.operator(alice))
    for number in range(10):
        publish(f"acme/{number}", {"kind": "webgpu", "model": f"m{number}"})
    after = visit("/kinds/webgpu"), visit("/kinds/")
    assert [page.queries for page in before] == [5, 3]
    assert [page.queries for page in after] == [6, 3]  # one reads the texts of the revisions


@pytest.mark.parametrize(
    ("schema", "description"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 4096}, "integer, 1 to 4,096"),
        ({"type": "integer", "minimum": 0}, "integer, 0 or more"),
        ({"type": "integer", "maximum": 9}, "integer, 9 or less"),
        ({"type": "number", "exclusiveMinimum": 0}, "number, more than 0"),
        ({"type": "boolean"}, "true or false"),
        ({"enum": ["hard", "soft"]}, "one of hard, soft"),
        ({"const": 32}, "32"),
        ({"$ref": "#/$defs/positive"}, "integer, 1 or more"),
        ({"$ref": "#/$defs/features"}, "list, each +name or -name"),
        ({"type": "string", "pattern": "^gfx"}, "text, matching ^gfx"),
        (
            {"type": "string", "pattern": f"^({'gfx|' * 20})$"},
            "text, matching a pattern in the JSON Schema",
        ),
        ({"type": ["string", "boolean"]}, "text or true or false"),
    ],
)
def test_schemas_are_described(schema: dict[str, object], description: str) -> None:
    assert accepts(schema) == description


def test_every_option_of_every_shipped_kind_has_a_description() -> None:
    for name, source in shipped_facts.kinds().items():
        for option in option_rows(Kind(name, 1, source)):
            assert option["accepts"]
            assert option["description"]


def test_derived_default_has_its_condition(visit: Visitor) -> None:
    assert "32 if supports_subgroups is true, else 1" in visit("/kinds/webgpu").text
