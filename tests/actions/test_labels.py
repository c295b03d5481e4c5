"""Each button says what happens, in a verb and its object."""

import re

import pytest
from django.conf import settings

from registry.actions.action_form import ActionForm
from registry.actions.proposals import Accept
from registry.models import Namespace, Policy, Proposal, User
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from tests.actions.roles import declared_actions
from tests.publishing import WITHOUT_LINTS as CPU, propose

NAMED_BESIDE = {"Watch"}  # the name of the tag or namespace is the heading
READ_ONLY = frozenset(  # buttons that write nothing: they show, check or lead on
    {"Add", "Check", "Close", "Compare", "Continue", "Filter", "Preview", "Search", "Show"}
)
BUTTON = re.compile(r"<button\b([^>]*)>(.*?)</button>", re.DOTALL)
MARKUP = re.compile(r"{%.*?%}|{{.*?}}|<[^>]*>", re.DOTALL)


@pytest.mark.parametrize("action", [*declared_actions()], ids=str)
def test_button_names_more_than_a_verb(action: type[ActionForm]) -> None:
    label = action.effect or action.button
    assert " " in label or label in NAMED_BESIDE
    assert label[0].isupper()
    assert not label.endswith(".")


def test_a_button_of_a_template_that_writes_names_more_than_a_verb() -> None:
    bare = []
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        for attributes, content in BUTTON.findall(path.read_text(encoding="utf-8")):
            words = MARKUP.sub(" ", content).split()
            is_named = "aria-label" in attributes or "visually-hidden" in content
            is_computed = "{{" in content and not words
            if len(words) < 2 and not (is_named or is_computed or {*words} <= READ_ONLY):
                bare.append((path.name, *words))
    # These open a menu.
    assert bare == [("base.html", "Menu"), ("results.html", "Filters")]


@pytest.mark.django_db
class TestAcceptance:
    def test_button_says_that_accepting_publishes(self, acme: Namespace, alice: User) -> None:
        proposal = propose("acme/board", CPU, by="bob")
        assert Accept(proposal, Actor(alice)).submit_label == "Accept and publish"

    def test_the_first_of_two_does_not_publish_and_the_second_does(
        self, acme: Namespace, alice: User
    ) -> None:
        Namespace.objects.update(policy=Policy.FOUR_EYES)
        proposal = Proposal.objects.get(pk=propose("acme/board", CPU, by="bob").pk)
        staff = User.objects.create_user("erin", is_staff=True)
        assert Accept(proposal, Actor(staff)).submit_label == "Accept as the first of two"
        review.accept(proposal.pk, seen=1, actor=Actor.operator(staff))
        assert Accept(proposal, Actor(alice)).submit_label == "Accept and publish"
