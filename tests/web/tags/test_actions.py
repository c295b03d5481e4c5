"""The pages that deprecate and undeprecate."""

import pytest
from django.test import Client

from tests.publishing import row_counts
from tests.web.actions import warnings
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cpu_with_dependents")]


def test_deprecate_and_undeprecate(owner: Client, visit: Visitor) -> None:
    fields = {"reason": "too old", "successor": "acme/board"}
    assert owner.post("/deprecate/acme/cpu", fields).status_code == 302
    assert warnings("acme/cpu") == ["DEPRECATED"]
    page = visit("/undeprecate/acme/cpu")
    assert "Deprecated by alice , " in page.text
    assert "just now</span>: too old Its successor is" in page.html
    assert "Its successor is acme/board" in page.text
    owner.post("/undeprecate/acme/cpu", {"reason": "still good"})
    assert warnings("acme/cpu") == []


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({"reason": ""}, 400, "Enter the reason."),
        ({"reason": "x" * 501}, 400, "501 characters"),
        ({"reason": "old", "successor": "acme/nothing"}, 404, "There is no tag acme/nothing"),
        ({"reason": "old", "successor": "Acme!"}, 400, "is not a tag"),
        ({"reason": "old", "successor": "acme/cpu"}, 409, "cannot be its own successor"),
    ],
)
def test_nothing_typed_is_lost(
    fields: dict[str, str], status: int, message: str, owner: Client
) -> None:
    before = row_counts()
    response = owner.post("/deprecate/acme/cpu", fields)
    page = response.content.decode()
    assert (response.status_code, row_counts()) == (status, before)
    assert message in page
    assert fields["reason"] in page
    assert fields.get("successor", "") in page


def test_all_wrong_values_are_reported_together(owner: Client) -> None:
    before = row_counts()
    fields = {"reason": "x" * 501, "successor": "a/" + "b" * 550}
    response = owner.post("/deprecate/acme/cpu", fields)
    page = response.content.decode()
    assert (response.status_code, row_counts()) == (400, before)
    assert "501 characters are too many" in page
    assert "552 characters" in page
