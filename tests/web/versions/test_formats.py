"""The page of a target's export formats."""

import pytest
from django.test import Client

from registry.services.versions import exporting
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.publishing import chain, publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}


def test_each_format_has_its_sentence_its_type_and_a_link(visit: Visitor, client: Client) -> None:
    page = visit("/formats/nvidia/jetson-nano:cuda")
    assert page.status == 200
    for form in EXPORT_FORMATS.values():
        assert f"{form.summary} {form.media_type}" in page.text
    offered = [link for link in page.links if "format=" in link]
    assert len(offered) == len(EXPORT_FORMATS) - 1  # IREE has no words for it
    for link in offered:
        answer = client.get(link.replace("&amp;", "&"))
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith(
            EXPORT_FORMATS[link.partition("format=")[2]].media_type
        )


def test_flags_are_shown_and_what_they_leave_out(visit: Visitor) -> None:
    text = visit("/formats/nvidia/jetson-nano:cuda").text
    assert "--target=aarch64-linux-gnu -mcpu=cortex-a57 curl -fsSo target.flags" in text
    assert "Leaves out 1: /hardware" in text
    assert "/hardware facts for people, which no compiler reads" in text
    assert "Leaves nothing out." in text


def test_format_without_words_for_the_target_says_why_and_for_which_nodes(visit: Visitor) -> None:
    page = visit("/formats/nvidia/jetson-nano:cuda")
    assert "Not for this target: iree-compile cannot compile for" in page.text
    assert "/formats/nvidia/jetson-nano:cuda?node=/host#format-iree" in page.links


def test_node_is_kept_in_links_and_commands(visit: Visitor, client: Client) -> None:
    page = visit("/formats/example/two-machines?node=/devices/machine0/host")
    link = "/api/v1/resolve/example/two-machines?format=clang&amp;node=/devices/machine0/host"
    assert link in page.links
    assert client.get(link.replace("&amp;", "&")).status_code == 200
    assert "?format=clang&node=/devices/machine0/host'" in page.text
    assert '/api/v1/resolve/example/two-machines?node=/devices/machine0/host"' in page.html


def test_mixin_has_two_formats(visit: Visitor) -> None:
    page = visit("/formats/micro/aot")
    assert page.text.count("is a mixin: it resolves as json and target only") == 1
    assert len([link for link in page.links if "format=" in link]) == 2


def test_unknown_node_is_404_and_names_those_there_are(visit: Visitor) -> None:
    page = visit("/formats/nvidia/jetson-nano:cuda?node=/nowhere")
    assert page.status == 404
    assert "/formats/nvidia/jetson-nano:cuda?node=/host" in page.links


@pytest.mark.usefixtures("acme")
def test_large_target_is_not_written_in_every_format(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "MAX_EAGER_SIZE", 100)
    publish("acme/farm", {"kind": "composite", "devices": [BOARD] * 4})
    page = visit("/formats/acme/farm")
    assert "too large to write it in every format" in page.text
    assert "Leaves" not in page.text
    assert len([link for link in page.links if "format=" in link]) == len(EXPORT_FORMATS)
    assert "haswell" in visit("/formats/acme/farm?node=/devices/0").text


@pytest.mark.usefixtures("acme")
def test_many_nodes_and_losses_are_bounded(visit: Visitor) -> None:
    devices = {f"d{at}": BOARD | {"num-cores": at + 1} for at in range(200)}
    publish("acme/large", {"kind": "composite", "devices": devices})
    page = visit("/formats/acme/large")
    assert "and 189 more in" in page.text
    assert "and 194 more" in page.text  # of what IREE leaves out
    assert len(page.html) < 60_000


def test_unknown_tag_is_404_and_malformed_400(visit: Visitor) -> None:
    assert visit("/formats/nvidia/jetson-nanoo").status == 404
    assert visit("/formats/XX").status == 400


@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_grow(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    visit("/formats/acme/board")  # compiles what a process compiles once
    few = visit("/formats/acme/board").queries
    assert visit(f"/formats/{chain(8)}").queries == few == 8
    visit("/formats/example/two-machines")
    assert visit("/formats/example/two-machines").queries == few
