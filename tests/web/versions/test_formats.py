"""The page of a target's export formats."""

import pytest
from django.test import Client

from registry.services.versions import exporting
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.publishing import chain, publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}


def test_formats_have_summary_media_type_and_link(visit: Visitor, client: Client) -> None:
    page = visit("/formats/nvidia/jetson-nano:cuda")
    assert page.status == 200
    for export_format in EXPORT_FORMATS.values():
        assert f"{export_format.summary} {export_format.media_type}" in page.text
    format_links = [link for link in page.links if "format=" in link]
    assert len(format_links) == len(EXPORT_FORMATS) - 2  # all but hipcc and IREE
    for link in format_links:
        response = client.get(link.replace("&amp;", "&"))
        assert response.status_code == 200
        assert response["Content-Type"].startswith(
            EXPORT_FORMATS[link.partition("format=")[2]].media_type
        )


def test_output_and_losses_are_shown(visit: Visitor) -> None:
    text = visit("/formats/nvidia/jetson-nano:cuda").text
    assert "--target=aarch64-linux-gnu -mcpu=cortex-a57 curl -fsSo target.flags" in text
    assert "Leaves out 1: /hardware" in text
    assert "/hardware facts for people, which no compiler reads" in text
    assert "Leaves nothing out." in text


def test_unsupported_format_gives_the_reason_and_links_to_nodes(visit: Visitor) -> None:
    page = visit("/formats/nvidia/jetson-nano:cuda")
    assert "Not supported for this target: iree-compile cannot compile for" in page.text
    assert "/formats/nvidia/jetson-nano:cuda?node=/host#format-iree" in page.links


def test_links_and_commands_keep_the_node(visit: Visitor, client: Client) -> None:
    page = visit("/formats/example/two-machines?node=/devices/machine0/host")
    link = "/api/v1/resolve/example/two-machines?format=clang&amp;node=/devices/machine0/host"
    assert link in page.links
    assert client.get(link.replace("&amp;", "&")).status_code == 200
    assert "?format=clang&node=/devices/machine0/host'" in page.text
    assert '/api/v1/resolve/example/two-machines?node=/devices/machine0/host"' in page.html


def test_mixin_has_two_formats(visit: Visitor) -> None:
    page = visit("/formats/micro/aot")
    assert page.text.count("is a mixin: it can only be exported as json and target") == 1
    assert len([link for link in page.links if "format=" in link]) == 2


def test_unknown_node_is_404_with_suggestions(visit: Visitor) -> None:
    page = visit("/formats/nvidia/jetson-nano:cuda?node=/nowhere")
    assert page.status == 404
    assert "/formats/nvidia/jetson-nano:cuda?node=/host" in page.links


@pytest.mark.usefixtures("acme")
def test_large_target_is_not_rendered(visit: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "MAX_EAGER_SIZE", 100)
    publish("acme/farm", {"kind": "composite", "devices": [BOARD] * 4})
    page = visit("/formats/acme/farm")
    assert "too large to show it in every format" in page.text
    assert "Leaves" not in page.text
    assert len([link for link in page.links if "format=" in link]) == len(EXPORT_FORMATS)
    assert "haswell" in visit("/formats/acme/farm?node=/devices/0").text


@pytest.mark.usefixtures("acme")
def test_nodes_and_losses_are_limited(visit: Visitor) -> None:
    devices = {f"d{number}": BOARD | {"num-cores": number + 1} for number in range(200)}
    publish("acme/large", {"kind": "composite", "devices": devices})
    page = visit("/formats/acme/large")
    assert "and 189 more in" in page.text
    assert "and 194 more" in page.text  # losses of IREE
    assert len(page.html) < 60_000


def test_unknown_tag_is_404_and_invalid_reference_400(visit: Visitor) -> None:
    assert visit("/formats/nvidia/jetson-nanoo").status == 404
    assert visit("/formats/XX").status == 400


@pytest.mark.usefixtures("acme")
def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    visit("/formats/acme/board")  # warms up the process
    expected = visit("/formats/acme/board").queries
    assert visit(f"/formats/{chain(8)}").queries == expected == 5
    visit("/formats/example/two-machines")
    assert visit("/formats/example/two-machines").queries == expected
