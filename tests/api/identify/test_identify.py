"""Tests of POST identify."""

import json
from typing import Any

import pytest
from django.test import Client

from registry.domain.identify.input_limits import MAX_TEXT

pytestmark = pytest.mark.django_db

URL = "/api/v1/identify"


def send(client: Client, value: Any) -> Any:
    return client.post(URL, json.dumps(value), "application/json")


def test_answer_has_readings_with_places(client: Client) -> None:
    response = send(client, {"text": "GPU 0: NVIDIA Tesla P100\n"})
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    (reading,) = response.json()["readings"]
    assert reading["body"]["arch"] == "sm_60"
    assert [tag["relation"] for tag in reading["tags"]] == ["same"]
    assert {"pointer": "/kind", "from": 7, "to": 24, "stated": "inferred"} in reading["facts"]


def test_an_honest_no_is_no_error(client: Client) -> None:
    response = send(client, {"text": "a poem about rain"})
    assert response.status_code == 200
    answer = response.json()
    assert (answer["readings"], answer["recognised"]) == ([], [])
    assert [part["reason"] for part in answer["ignored"]] == ["no tag has this name"]


def test_a_long_text_is_read(client: Client) -> None:
    text = "a line of a log\n" * 19_000 + "GPU 0: NVIDIA Tesla P100\n"
    (reading,) = send(client, {"text": text}).json()["readings"]
    assert reading["facts"][0]["from"] > 300_000


@pytest.mark.parametrize(
    ("value", "status", "code"),
    [
        ({"text": ""}, 400, "REQUEST_INVALID"),
        ({"text": "word " * 2000}, 400, "REQUEST_INVALID"),
        ({"text": "a\u202eb"}, 400, "REQUEST_INVALID"),
        ({"text": 3}, 400, "REQUEST_INVALID"),
        ({}, 400, "REQUEST_INVALID"),
        ({"text": "a", "tag": "b"}, 400, "REQUEST_INVALID"),
        ({"text": "a\n" * (MAX_TEXT // 2 - 1) + "abc"}, 413, "TOO_LARGE"),
        ({"text": "a" * 2 * MAX_TEXT}, 413, "TOO_LARGE"),
    ],
    ids=range(8),
)
def test_what_is_no_text_is_refused(client: Client, value: Any, status: int, code: str) -> None:
    response = send(client, value)
    assert (response.status_code, response.json()["code"]) == (status, code)
