"""The pages of kinds."""

import pytest

from registry.domain.kinds import Kind
from registry.services import kinds
from registry.services.shipping import shipped
from registry.web.options import accepts, described
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db


def test_every_kind_is_listed_and_has_a_page(visit: Visitor) -> None:
    index = visit("/kinds/")
    for name in kinds.current().kinds:
        assert f"/kinds/{name}" in index.links
        assert visit(f"/kinds/{name}").status == 200


def test_option_tells_type_default_unit_consumers_and_tuning(visit: Visitor) -> None:
    text = visit("/kinds/cuda").text
    row = "thread_warp_size integer, 1 to 1,024 32 threads tuning yes Threads that run in lockstep"
    assert row in text
    assert "Thread binding and reductions across threads are built around it." in text
    assert "registers_per_block integer, 1 or more none registers tuning counts as yes" in text


def test_kind_of_an_executor_has_a_page(visit: Visitor) -> None:
    page = visit("/kinds/executor/aot")
    assert "interface-api one of packed, c" in page.text
    assert "/api/v1/kinds/executor/aot" in page.links


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
        ({"type": ["string", "boolean"]}, "text or true or false"),
    ],
)
def test_schemas_are_said_in_words(schema: dict[str, object], words: str) -> None:
    assert accepts(schema) == words


def test_every_option_of_every_shipped_kind_can_be_said() -> None:
    for name, source in shipped.kinds().items():
        for option in described(Kind(name, 1, source)):
            assert option.accepts
            assert option.description


def test_derived_default_says_where_it_holds(visit: Visitor) -> None:
    assert "32 where supports_subgroups is true, else 1" in visit("/kinds/webgpu").text
