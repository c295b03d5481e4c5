"""Things that no script foresees, which people do all the same: each passes, and is a test.

The table names all of them, with where each is tested. Those that need no browser are tested here.
"""

import ast
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from registry.actions.action_form import INVALID
from registry.models import Proposal, Turn, User
from tests.publishing import publish
from tests.web.proposals.conftest import BOARD, Propose, bob, carol, propose

__all__ = ["bob", "carol", "propose"]  # fixtures

pytestmark = pytest.mark.django_db

HERE = "web/test_unscripted.py"
KEPT = "web/browser/test_kept_input.py"
INTERACTION = "web/browser/test_interaction.py"
UNSCRIPTED = {
    "Back in mid-form": (KEPT, "test_back_in_mid_form_loses_nothing"),
    "reload in mid-form": (KEPT, "test_reload_loses_nothing"),
    "a closed tab": (KEPT, "test_closed_tab_loses_nothing"),
    "two tabs": (KEPT, "test_second_tab_leaves_the_first_alone"),
    "a double click": (KEPT, "test_double_click_submits_once"),
    "a paste of 300 KB": (KEPT, "test_text_of_300_kb_is_kept_with_its_error"),
    "zoom of 200 %": (KEPT, "test_form_works_at_360_pixels_and_200_percent"),
    "no storage in the browser": (INTERACTION, "test_scripts_work_without_local_storage"),
    "print": (INTERACTION, "test_print_has_commands_target_and_digest"),
    "forced colours": (INTERACTION, "test_forced_colours_keep_states_and_borders"),
    "reduced motion": (INTERACTION, "test_reduced_motion_disables_animations"),
    "a very long word on a phone": (INTERACTION, "test_a_long_word_does_not_widen_a_phones_page"),
    "scripts that never arrive": (
        "web/browser/test_without_javascript.py",
        "test_every_page_is_complete",
    ),
    "a newline in a comment": ("web/browser/test_line_breaks.py", "test_enter_is_accepted"),
    "a session that ends in mid-form": (
        "web/core/test_stashed_forms.py",
        "test_a_form_is_restored_after_sign_in",
    ),
    "a wrong CSRF token": (
        "web/proposals/test_actions.py",
        "test_post_without_csrf_token_is_refused_and_keeps_the_text",
    ),
    "reload after POST": (HERE, "test_reload_after_post_sends_nothing_again"),
    "odd characters in a paste": (HERE, "test_odd_characters_are_kept_or_refused_in_words"),
    "a name with blanks around it": (HERE, "test_blanks_around_a_name_do_not_count"),
    "Back after sign-out": (HERE, "test_back_after_sign_out_shows_nothing_private"),
    "disabled cookies": (HERE, "test_without_cookies_the_page_says_what_is_missing"),
    "two accounts in one browser": (HERE, "test_a_form_of_another_account_writes_nothing"),
    "HEAD": (HERE, "test_head_has_the_headers_of_get"),
    "OPTIONS and other methods": (HERE, "test_other_methods_are_refused_in_words"),
}
PASSWORD = "a long enough passphrase"
RTL = "\u202eevil\u202c \u05e9\u05dc\u05d5\u05dd"
KEPT_TEXTS = {
    "one\r\ntwo\rthree": "one\ntwo\nthree",
    "fine \U0001f600 \U0001f468\u200d\U0001f469\u200d\U0001f467": None,
    "\u05e9\u05dc\u05d5\u05dd": None,
    "x" * 3000: None,
}


def test_each_thing_is_tested_where_the_table_says() -> None:
    for file, name in UNSCRIPTED.values():
        tree = ast.parse((settings.BASE_DIR / "tests" / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def comment(client: Client, proposal: Proposal, text: str) -> Any:
    data = {"seen": proposal.revision, "key": str(uuid4()), "text": text}
    return client.post(f"/proposals/{proposal.pk}/comment", data)


def comments() -> list[str]:
    return [turn.text for turn in Turn.objects.filter(action="comment").order_by("pk")]


def test_reload_after_post_sends_nothing_again(
    client: Client, propose: Propose, carol: User
) -> None:
    client.force_login(carol)
    response = comment(client, propose(), "Why four?")
    assert response.status_code == 302
    assert [client.get(response["Location"]).status_code for _ in range(2)] == [200, 200]
    assert comments() == ["Why four?"]


@pytest.mark.parametrize("text", KEPT_TEXTS)
def test_odd_characters_are_kept_or_refused_in_words(
    client: Client, propose: Propose, carol: User, text: str
) -> None:
    client.force_login(carol)
    proposal = propose()
    assert comment(client, proposal, text).status_code == 302
    for refused in ("a\0b", RTL, "bell \a"):
        response = comment(client, proposal, f"kept: {refused}")
        assert response.status_code == INVALID
        assert "kept: " in response.content.decode()
    assert comments() == [KEPT_TEXTS[text] or text]


@pytest.mark.parametrize("around", ["{} ", " {}", "\t{}\n", "\u00a0{}"])
def test_blanks_around_a_name_do_not_count(client: Client, acme: object, around: str) -> None:
    publish("acme/board", BOARD)
    name = around.format("acme/board")
    assert client.get("/", {"q": name}).content.count(b"acme/board") > 1
    response = client.get("/compare", {"tag": [name, "arm/soc"]}, follow=True)
    assert (response.status_code, b"acme/board" in response.content) == (200, True)


def test_back_after_sign_out_shows_nothing_private(client: Client, carol: User) -> None:
    client.force_login(carol)
    for path in ("/me", "/news", "/settings/tokens"):
        response = client.get(path, follow=True)
        assert "no-store" in response["Cache-Control"], path
    client.post("/accounts/logout/")
    assert client.get("/me").status_code == 302


def test_without_cookies_the_page_says_what_is_missing(carol: User) -> None:
    client = Client(enforce_csrf_checks=True, headers={"origin": "http://testserver"})
    page = client.get("/accounts/login/").content.decode()
    token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    client.cookies.clear()
    data = {"login": "carol", "password": "wrong", "csrfmiddlewaretoken": token}
    response = client.post("/accounts/login/", data)
    assert response.status_code == 403
    assert "cookie" in response.content.decode()


def test_a_form_of_another_account_writes_nothing(propose: Propose, bob: User, carol: User) -> None:
    """A tab shows the form of Carol; in another one Bob has signed in."""
    client = Client(enforce_csrf_checks=True, headers={"origin": "http://testserver"})
    proposal = propose()

    def token(path: str) -> str:
        page = client.get(path).content.decode()
        return page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]

    def sign_in(user: User) -> None:
        user.set_password(PASSWORD)
        user.save()
        data = {"login": user.username, "password": PASSWORD}
        data["csrfmiddlewaretoken"] = token("/accounts/login/")
        assert client.post("/accounts/login/", data).status_code == 302

    sign_in(carol)
    of_carol = token(f"/proposals/{proposal.pk}")
    client.post("/accounts/logout/", {"csrfmiddlewaretoken": of_carol})
    sign_in(bob)
    data = {"seen": 1, "key": str(uuid4()), "text": "As Carol.", "csrfmiddlewaretoken": of_carol}
    response = client.post(f"/proposals/{proposal.pk}/comment", data)
    assert response.status_code == 403
    assert "You signed in or out since this page was opened" in response.content.decode()
    assert comments() == []


@pytest.mark.parametrize("path", ["/", "/tags/arm/soc", "/submit", "/nowhere", "/api/v1/tags"])
def test_head_has_the_headers_of_get(client: Client, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert head.content == b""
    for name in ("Content-Type", "Cache-Control", "Content-Security-Policy"):
        assert (head.status_code, head.get(name)) == (get.status_code, get.get(name))


@pytest.mark.parametrize("path", ["/", "/tags/arm/soc", "/submit", "/api/v1/resolve/arm/soc"])
@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "TRACE", "PATCH"])
def test_other_methods_are_refused_in_words(client: Client, path: str, method: str) -> None:
    response = client.generic(method, path)
    assert response.status_code == (204 if method == "OPTIONS" and "/api/" in path else 405)
    assert "GET" in response["Allow"]
    if response.status_code == 405 and "/api/" not in path:
        assert "Method not allowed" in response.content.decode()
