"""The page behind the box of the home page."""

import re

import pytest
from django.test import Client

from tests.publishing import publish

pytestmark = pytest.mark.django_db

TEXT = "GPU 0: NVIDIA Tesla P100\nIt supports CUDA capabilities sm_50.\n"


def page(client: Client, text: str, status: int = 200) -> str:
    response = client.post("/identify", {"text": text})
    assert response.status_code == status
    assert response["Cache-Control"] == "private, no-cache", "Back shows it again"
    return response.content.decode()


@pytest.mark.parametrize("text", ["rtx 4090", " rtx 4090\n", "a" * 200])
def test_a_line_is_searched_for(client: Client, text: str) -> None:
    response = client.post("/identify", {"text": text})
    assert response.status_code == 302
    assert response["Location"].startswith("/?q=")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("GPU 0: NVIDIA Tesla P100 (UUID: GPU-5c89852c)", "nvidia/tesla-p100"),
        ("Device:   NVIDIA GeForce RTX 4090", "nvidia/geforce-rtx-4090"),
    ],
)
def test_a_line_of_a_tool_is_identified(client: Client, text: str, tag: str) -> None:
    assert f'href="/tags/{tag}"' in page(client, text)


@pytest.mark.parametrize("text", ["Chip: nothing known", "arm/soc:aot", "note: rtx"])
def test_a_line_that_names_no_machine_is_searched_for(client: Client, text: str) -> None:
    assert client.post("/identify", {"text": text})["Location"].startswith("/?q=")


def test_no_text_leads_home(client: Client) -> None:
    assert client.post("/identify", {"text": " "})["Location"] == "/"


def test_a_longer_text_is_identified(client: Client) -> None:
    html = page(client, TEXT)
    assert 'href="/tags/nvidia/tesla-p100"' in html
    assert "what a library was built for" in html
    assert "NVIDIA Tesla P100" in html


def test_no_token_of_django_is_needed_as_nothing_is_written() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/identify", {"text": TEXT}).status_code == 200


def test_text_is_kept_and_escaped(client: Client) -> None:
    html = page(client, "<script>alert(1)</script>\n</textarea>\n")
    assert "<script>alert" not in html
    assert "&lt;/textarea&gt;" in html
    assert "Nothing that the registry can name" in html


def test_a_text_that_is_refused_keeps_the_input(client: Client) -> None:
    html = page(client, "word " * 2000, 400)
    assert "REQUEST_INVALID" in html
    assert "word word" in html


@pytest.mark.usefixtures("acme")
def test_differences_can_be_proposed_and_tags_compared(client: Client) -> None:
    for name in ("one", "two"):
        publish(f"acme/{name}", {"kind": "cuda", "arch": "sm_86", "model": "Example 9"})
    html = page(
        client,
        "CPU: nothing\n"
        "{'kind': 'cuda', 'arch': 'sm_86', 'model': 'Example 9', 'max_num_threads': 7}\n",
    )
    assert "/compare?tag=acme%2Fone&amp;tag=acme%2Ftwo" in html
    (address,) = set(re.findall(r'href="(/submit\?tag=acme%2Fone[^"]*)"', html))
    assert "max_num_threads" in address
    assert client.get(address.replace("&amp;", "&")).status_code == 200


def test_an_unknown_machine_can_be_submitted(client: Client) -> None:
    html = page(client, "GPU 0: NVIDIA Example 9000\nGPU 1: NVIDIA Example 9000\n")
    address = re.findall(r'href="(/submit\?format=body[^"]*)"', html)[0]
    assert "Example" in address
    assert client.get(address.replace("&amp;", "&")).status_code == 200


@pytest.mark.parametrize(("length", "is_cut"), [(200, False), (201, True)])
def test_a_value_that_is_cut_says_so(client: Client, length: int, is_cut: bool) -> None:
    value = "x" * length
    html = page(client, f"text:\n{{'kind': 'cuda', 'arch': 'sm_86', 'model': '{value}'}}\n")
    cell = "x" * 199 + "…" if is_cut else value
    assert f"<td>{cell}</td>" in html
