"""Other spellings of the address of a page lead to the page, and to no other site."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/nvidia/jetson-nano", "/tags/nvidia/jetson-nano"),
        ("/nvidia/jetson-nano/", "/tags/nvidia/jetson-nano"),
        ("/NVIDIA/Jetson-Nano", "/tags/nvidia/jetson-nano"),
        ("/nvidia/Jetson_Nano", "/tags/nvidia/jetson-nano"),
        ("/nvidia/jetson-nano:cuda@1.2", "/tags/nvidia/jetson-nano:cuda@1.2"),
        ("/tags/NVIDIA/Jetson-Nano", "/tags/nvidia/jetson-nano"),
        ("/tags/nvidia/Jetson-Nano", "/tags/nvidia/jetson-nano"),
        ("/tags/nvidia/jetson_nano@1", "/tags/nvidia/jetson-nano@1"),
        ("/tags/NVIDIA/Jetson-Nano?take=curl", "/tags/nvidia/jetson-nano?take=curl"),
        ("/versions/NVIDIA/Jetson-Nano", "/versions/nvidia/jetson-nano"),
        ("/badges/NVIDIA/Jetson-Nano.svg", "/badges/nvidia/jetson-nano.svg"),
        ("/login", "/accounts/login/"),
        ("/signup", "/accounts/signup/"),
    ],
)
def test_other_spelling_leads_to_the_page(client: Client, path: str, target: str) -> None:
    response = client.get(path)
    assert (response.status_code, response["Location"]) == (302, target)
    assert client.head(path).status_code == 302


@pytest.mark.parametrize(
    "path",
    [
        "/nvidia/jetson-nanoo",
        "/tags/NVIDIA/Jetson-Nanoo",
        "//example.org/jetson-nano",
        "/example.org//nvidia/jetson-nano",
        "/nvidia/jetson-nano/versions",
        "/https://example.org",
        "/\\example.org/x",
        "/nvidia/jetson%0anano",
        "/nowhere",
        "/nvidia",
    ],
)
def test_unknown_path_stays_an_error(client: Client, path: str) -> None:
    assert client.get(path).status_code in {400, 404}


@pytest.mark.parametrize("path", ["/nvidia/jetson-nanno", "/tags/NVIDIA/Jetson-Nanno"])
def test_unknown_tag_is_an_error_with_a_link_to_the_nearest(client: Client, path: str) -> None:
    assert 'href="/tags/nvidia/jetson-nano"' in client.get(path).content.decode()


def test_next_page_of_a_sign_in_is_not_passed_on(client: Client) -> None:
    assert client.get("/login?next=//example.org")["Location"] == "/accounts/login/"


def test_form_to_another_spelling_is_refused(client: Client) -> None:
    assert client.post("/nvidia/jetson-nano").status_code == 404
    assert client.post("/tags/NVIDIA/Jetson-Nano").status_code == 405


@pytest.mark.parametrize(("path", "queries"), [("/nowhere", 0), ("/nvidia/jetson-nano", 1)])
def test_lookup_takes_one_query(client: Client, path: str, queries: int) -> None:
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    assert len(captured) == queries
