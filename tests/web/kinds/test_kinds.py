"""The pages of kinds and their options."""

import html
import re

import pytest

from registry.domain.kinds import Kind
from registry.domain.schema import MAX_OPTIONS
from registry.models import User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.search import option_usage
from registry.web.kinds.options import accepts, option_rows
from tests.publishing import publish
from tests.services.kinds.schemas import with_option, without
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db

TIMES = "\N{MULTIPLICATION SIGN}"
MOST_BYTES = 88_000  # of 100 KB; style and script take 10


def row(page: Page, option: str) -> str:
    found = re.search(rf'<tr id="option-{re.escape(option)}">.*?</tr>', page.html, re.DOTALL)
    assert found
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<wbr>", "", found[0])))


def said(page: Page, option: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", row(page, option)))


def links(page: Page, option: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', row(page, option))


def test_every_kind_is_listed_and_has_a_page(visit: Visitor) -> None:
    index = visit("/kinds/")
    for name in kinds.current_kinds().kinds:
        assert f"/kinds/{name}" in index.links
        assert visit(f"/kinds/{name}").status == 200


def test_kinds_say_how_many_tags_have_them_and_lead_there(visit: Visitor) -> None:
    index = visit("/kinds/")
    having = option_usage.kind_totals()
    assert f'<a href="/?kind=cuda">{having["cuda"].tags}<' in index.html
    assert f'<a href="/?where=/host/kind=llvm">{having["llvm"].hosts}<' in index.html
    assert "/?where=/executor/kind=aot" in index.links
    assert "/?kind=webgpu" not in index.links  # no tag has it
    assert "/?kind=mixin" in index.links


def test_option_tells_type_default_unit_consumers_and_tuning(visit: Visitor) -> None:
    page = visit("/kinds/cuda")
    warps = said(page, "thread_warp_size")
    assert "integer, 1 to 1,024; default 32 ; in threads" in warps
    assert "tuning; affects tuning: yes" in warps
    assert "Threads that run in lockstep" in warps
    assert "Thread binding and reductions across threads are built around it." in warps
    assert "affects tuning: counts as yes" in said(page, "registers_per_block")


def test_option_tells_which_tags_set_it_to_what(visit: Visitor, acme: object) -> None:
    publish("acme/a", {"kind": "webgpu", "model": "one", "supports_subgroups": True})
    publish("acme/b", {"kind": "webgpu", "model": "one"})
    publish("acme/c", {"kind": "cuda", "arch": "sm_53", "host": {"kind": "webgpu", "model": "x"}})
    page = visit("/kinds/webgpu")
    assert "Tags 2 , 1 as host" in page.text
    assert f"2 of 2 one {TIMES} 2 1 of 1 as host x {TIMES} 1" in said(page, "model")
    assert f"1 of 2 true {TIMES} 1" in said(page, "supports_subgroups")
    assert "no tag" in said(page, "libs")
    assert links(page, "model")[1:] == [
        "/?kind=webgpu&where=/model=one",
        "/?where=/host/kind=webgpu&where=/host/model=x",
    ]


def test_numbers_lead_to_lists_of_as_many_tags(visit: Visitor) -> None:
    page = visit("/kinds/llvm")
    found = re.search(rf'href="([^"]*)">haswell</a> {TIMES} (\d+)', row(page, "mcpu"))
    assert found
    listed = visit(found[1])
    assert listed.status == 200
    rows = re.findall(r'<th scope="row"[^>]*>\s*<a [^>]*href="/tags/', listed.html)
    assert len(rows) == int(found[2])


def test_raw_values_have_humanised_ones_beside(visit: Visitor) -> None:
    assert f"33554432 32 MiB {TIMES} 2" in said(visit("/kinds/cuda"), "l2_cache_size_bytes")


def test_default_in_bytes_is_humanised_too() -> None:
    schema = {"properties": {"stack": {"type": "integer", "default": 49152, "x-unit": "bytes"}}}
    (stack, *_) = option_rows(Kind("board", 1, schema))
    assert (stack.default, stack.human_default) == ("49152", "48 KiB")


def test_what_has_parts_is_not_said_to_be_unused(visit: Visitor) -> None:
    assert "not counted: it is an object" in said(visit("/kinds/hardware"), "peak_ops_per_s")


def test_page_stands_without_counts_where_they_take_too_long(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(option_usage, "option_usage", lambda _: None)
    page = visit("/kinds/cuda")
    assert page.status == 200
    assert "could not be counted in time" in page.text
    assert "no tag" not in page.text


def test_values_and_words_of_schemas_are_shown_as_text(visit: Visitor, alice: User) -> None:
    hostile = {"description": "<b>bold</b>", "x-reason": "<script>", "x-unit": "<i>"}
    schema = with_option(dict(shipped_facts.kinds()["llvm"]), "warp-sum", **hostile)
    kinds.revise_kind("llvm", schema, actor=Actor.operator(alice))
    page = visit("/kinds/llvm")
    assert "&lt;b&gt;bold&lt;/b&gt;" in page.html
    assert "<b>bold" not in page.html
    assert page.html.count("<script") == visit("/kinds/cuda").html.count("<script")


def test_revisions_say_what_each_changed(visit: Visitor, alice: User) -> None:
    llvm = dict(shipped_facts.kinds()["llvm"])
    kinds.revise_kind("llvm", with_option(llvm, "warp-sum", minimum=1), actor=Actor.operator(alice))
    kinds.revise_kind("llvm", with_option(llvm, "warp-sum", minimum=2), actor=Actor.operator(alice))
    page = visit("/kinds/llvm")
    revisions = page.text.partition("Revisions")[2]
    assert revisions.index("option warp-sum, range") < revisions.index("option warp-sum added")
    assert "3 in force by alice" in revisions
    assert "1 no longer in force, the first" in revisions
    assert "since revision 2" in said(page, "warp-sum")


def test_long_revisions_are_cut(visit: Visitor, alice: User) -> None:
    kinds.revise_kind("webgpu", _with_many(40), actor=Actor.operator(alice))
    assert "and 28 more" in visit("/kinds/webgpu").text


def test_kind_with_most_options_is_light_and_says_one_in_full(visit: Visitor, alice: User) -> None:
    kinds.revise_kind("webgpu", _with_many(MAX_OPTIONS - 4), actor=Actor.operator(alice))
    page = visit("/kinds/webgpu")
    assert len(page.html.encode()) < MOST_BYTES
    assert "A reason" not in page.text
    link = "?option=a_rather_long_name_of_an_option_7"
    assert link in links(page, "a_rather_long_name_of_an_option_7")
    chosen = visit(f"/kinds/webgpu{link}")
    assert "A reason" in said(chosen, "a_rather_long_name_of_an_option_7")
    assert chosen.text.count("A reason") == 1


def _with_many(count: int) -> dict[str, object]:
    schema = without(dict(shipped_facts.kinds()["webgpu"]))
    for at in range(count):
        schema = with_option(
            schema,
            f"a_rather_long_name_of_an_option_{at}",
            description="What an option is for, in one sentence of about eighty characters, or so.",
            **{
                "x-reason": "A reason for that, of as many characters, so that it is worth reading."
            },
        )
    return schema


@pytest.mark.parametrize("option", ["mcpuu", "%00", "%3Cscript%3E", "x" * 3000])
def test_unknown_option_is_400_with_near_ones(visit: Visitor, option: str) -> None:
    page = visit(f"/kinds/llvm?option={option}")
    assert page.status == 400
    assert ("/kinds/llvm#option-mcpu" in page.links) == (option == "mcpuu")
    assert "<script>" not in page.html.partition("<body")[2]


def test_kind_of_an_executor_has_a_page(visit: Visitor) -> None:
    page = visit("/kinds/executor/aot")
    assert "one of packed, c" in said(page, "interface-api")
    assert "/api/v1/kinds/executor/aot" in page.links
    assert "/?where=/executor/kind=aot&amp;where=/executor/interface-api=c" in page.links


def test_flow_says_that_other_names_pass(visit: Visitor) -> None:
    assert "any other dotted name" in visit("/kinds/flow").text


@pytest.mark.parametrize("name", ["cudaa", "executor/aott", "%00", "a%0Ab", "%3Cscript%3E"])
def test_unknown_kind_is_404(visit: Visitor, name: str) -> None:
    page = visit(f"/kinds/{name}")
    assert page.status == 404
    assert "<script>" not in page.html.partition("<body")[2]


def test_unknown_kind_names_near_ones(visit: Visitor) -> None:
    assert "/kinds/cuda" in visit("/kinds/cudaa").links
    assert "/kinds/executor/aot" in visit("/kinds/executor/aott").links


@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_grow_with_tags_or_options(visit: Visitor, alice: User) -> None:
    publish("acme/first", {"kind": "webgpu", "model": "m"})
    kinds.current_kinds()
    one = visit("/kinds/webgpu"), visit("/kinds/")
    kinds.revise_kind("webgpu", _with_many(50), actor=Actor.operator(alice))
    for at in range(10):
        publish(f"acme/{at}", {"kind": "webgpu", "model": f"m{at}"})
    many = visit("/kinds/webgpu"), visit("/kinds/")
    assert [page.queries for page in one] == [9, 4]
    assert [page.queries for page in many] == [9, 4]
    assert visit("/kinds/webgpu").queries == 3  # nothing was written meanwhile


@pytest.mark.parametrize(
    ("schema", "words"),
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
        ({"type": "string", "pattern": "^gfx"}, "text, of the form ^gfx"),
        (
            {"type": "string", "pattern": f"^({'gfx|' * 20})$"},
            "text, of a form that the JSON Schema gives",
        ),
        ({"type": ["string", "boolean"]}, "text or true or false"),
    ],
)
def test_schemas_are_said_in_words(schema: dict[str, object], words: str) -> None:
    assert accepts(schema) == words


def test_every_option_of_every_shipped_kind_can_be_said() -> None:
    for name, source in shipped_facts.kinds().items():
        for option in option_rows(Kind(name, 1, source)):
            assert option.accepts
            assert option.description


def test_derived_default_says_where_it_holds(visit: Visitor) -> None:
    assert "32 where supports_subgroups is true, else 1" in visit("/kinds/webgpu").text
