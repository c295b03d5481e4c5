"""Words of the glossary are explained where they first stand on a page."""

import html
import re

import pytest
from django.conf import settings
from django.template import Context, Template

from registry.models import Namespace, Policy, User
from registry.web.documents.terms import glossary
from tests.publishing import publish, yank
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import BOARD, Propose, bob, carol, propose

__all__ = ["bob", "carol", "propose"]  # fixtures

pytestmark = pytest.mark.django_db

# What a newcomer does not know, in all its forms, and the term that explains it.
WORDS = {
    "lint": r"lints?",
    "dependent": r"dependents?",
    "floating": r"floating",
    "node": r"nodes?",
    "pointer": r"pointers?",
    "mixin": r"mixins?",
    "digest": r"digests?",
    "rebase": r"rebased?",
    "four-eyes": r"four-eyes",
    "moved": r"moved",
    "kind": r"kinds?",
    "namespace": r"namespaces?",
}
# The words that stand on each page, in what a reader sees unasked.
PAGES = {
    "/kinds/": ["kind"],
    "/namespaces/": ["namespace"],
    "/resolved/nvidia/jetson-nano": ["node", "pointer"],
    "/used-by/nvidia/jetson-nano": ["dependent"],
    "/tags/nvidia/jetson-nano": ["node", "digest", "lint"],
    "/tags/example/two-machines": ["pointer"],
    "/composition/example/two-machines": ["node"],
    "/formats/nvidia/jetson-nano:cuda": ["node"],
    "/source/example/two-machines": ["pointer", "digest"],
    "/kinds/vulkan": ["node"],
    "/diff/nvidia/jetson-nano@1.0.0...nvidia/jetson-nano:cuda": ["node"],
    "/report/micro/aot": ["namespace"],
    "/": ["digest"],
    "/proposals/": ["namespace", "lint", "dependent"],
    "/proposals/{proposal}": ["lint", "dependent", "moved"],
    "/rebase/acme/board": ["rebase"],
    "/diff/micro/aot...micro/aot": ["mixin"],
}
NOT_PROSE = re.compile(  # headings, what links and buttons are called, code, and what is folded
    r"<(a|h1|h2|nav|code|pre|summary|form|label|caption|textarea|svg|ul)\b[^>]*>.*?</\1>",
    re.DOTALL,
)


def prose(page_html: str) -> str:
    """Return the part of a page before its explanations, with only what is read as text."""
    main = page_html.partition("<main")[2].partition('class="term-text"')[0].partition(">")[2]
    return NOT_PROSE.sub(" ", main)


# Parts of pages that use a word without explaining it, and why they need not.
ELSEWHERE = {
    "catalogue.html": {"namespace"},  # the head of a column of links to them
    "composition/box.html": {"node"},  # the page around it explains the word
    "documents/page.html": {"digest"},  # documents link the glossary
    "home/first_command.html": {"namespace"},  # says itself what one is
    "home/list.html": {"namespace"},  # of one that the reader has chosen
    "home/maintainer_rows.html": {"kind"},  # the head of a column
    "kinds/option.html": {"kind"},  # the page around it explains the word
    "namespaces/namespace.html": {"namespace"},  # shows one
    "namespaces/request.html": {"namespace"},  # the page before it explains the word
    "parts/lint_count.html": {"lint"},  # a mark that is a link
    "parts/status.html": {"yank"},  # a state, of which the page says more
    "search/suggestions.html": {"kind"},
    "submit/preview.html": {"node", "namespace"},  # the form above it explains the words
    "tag/rename.html": {"moved"},  # of an alias, in its plain meaning
    "tag/versions.html": {"yank"},  # a reason follows, and the header explains the word
    "used_by/page.html": {"floating", "digest", "outdated"},  # a list of terms follows
    "versions/page.html": {"yank"},  # a reason follows
}
NOT_PAGES = ("admin/", "mail/", "docs/", "problems.html")  # for staff, in mail, for programmers
TEMPLATE_NOT_PROSE = re.compile(
    r"<(h3|button|title)\b[^>]*>.*?</\1>|{% block (?:title|meta|styles).*?endblock %}|{#.*?#}",
    re.DOTALL,
)


def unexplained_words(source: str) -> set[str]:
    """Return the words that a template uses as text before it explains them."""
    text = NOT_PROSE.sub(" ", TEMPLATE_NOT_PROSE.sub(" ", source))
    words = set()
    for name, pattern in (WORDS | {"yank": r"yank(?:ed|s|ing)?", "outdated": "outdated"}).items():
        before = text.partition(f'{{% term "{name}"')[0]
        shown = re.sub(r"{%.*?%}|{{.*?}}|<[^>]*>", " ", before, flags=re.DOTALL)
        if re.search(rf"(?<![\w/-]){pattern}(?![\w-])", shown, re.IGNORECASE):
            words.add(name)
    return words


def test_each_template_explains_its_words() -> None:
    folder = settings.BASE_DIR / "templates" / "registry"
    words = {
        name: unexplained_words(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*.html")
        if not (name := str(path.relative_to(folder))).startswith(NOT_PAGES)
    }
    assert {name: found for name, found in words.items() if found} == ELSEWHERE


def test_a_word_is_explained_before_it_stands_alone() -> None:
    assert unexplained_words("<p>Two lints.</p>") == {"lint"}
    assert unexplained_words('<p>Lints, or {% term "lint" %}.</p>') == {"lint"}
    assert unexplained_words('<p>A {% term "lint" %}, two lints.</p>') == set()
    assert unexplained_words('{# lints #}<a href="/lints">Lints</a><p>{{ lints }} splint') == set()


@pytest.fixture
def paths(propose: Propose, carol: User) -> dict[str, str]:
    """Publish and propose what the pages are about."""
    publish("acme/board", BOARD)
    proposal = propose(body=BOARD | {"num-cores": 8})
    publish("acme/board", BOARD | {"num-cores": 16})
    return {"{proposal}": str(proposal.pk)}


@pytest.mark.parametrize("path", PAGES)
def test_first_use_on_a_page_is_explained(
    visit: Visitor, paths: dict[str, str], carol: User, path: str
) -> None:
    visit.client.force_login(carol)
    page = visit(path.replace("{proposal}", paths["{proposal}"]))
    assert page.status == 200
    text = prose(page.html)
    for name in PAGES[path]:
        anchor = glossary()[name].anchor
        before, button, _ = text.partition(f'class="term" popovertarget="term-{anchor}"')
        assert button, f"{name} is not explained"
        words = html.unescape(re.sub(r"<[^>]*>?", " ", before))
        assert not re.search(rf"\b{WORDS[name]}\b", words, re.IGNORECASE), (name, words[-80:])
        assert page.html.count(f'id="term-{anchor}"') == 1
        assert glossary()[name].sentence in html.unescape(page.html)
        assert f"/docs/glossary#{anchor}" in page.links


@pytest.mark.parametrize("path", [*PAGES, "/catalogue", "/submit"])
def test_each_word_is_explained_once(
    visit: Visitor, paths: dict[str, str], carol: User, path: str
) -> None:
    visit.client.force_login(carol)
    page = visit(path.replace("{proposal}", paths["{proposal}"]))
    buttons = re.findall(r'class="term" popovertarget="([^"]+)"', page.html)
    texts = re.findall(r'class="term-text" id="([^"]+)"', page.html)
    assert buttons == texts
    assert len(texts) == len(set(texts))


def test_a_kind_with_a_word_of_its_own_says_what_it_means(visit: Visitor) -> None:
    assert "byoc: a composite compiled by an external code generator" in visit("/kinds/byoc").text
    assert "In the glossary" not in visit("/kinds/llvm").html.partition('class="term-text"')[0]


def test_a_page_without_hard_words_explains_none(visit: Visitor) -> None:
    assert 'class="term' not in visit("/catalogue").html


def test_four_eyes_are_explained_where_they_hold(
    visit: Visitor, propose: Propose, carol: User, acme: Namespace
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose("acme/own")
    visit.client.force_login(carol)
    visit.client.post(f"/proposals/{proposal.pk}/accept", {"seen": 1, "text": "", "key": ""})
    page = visit(f"/proposals/{proposal.pk}")
    assert 'popovertarget="term-four-eyes"' in page.html


@pytest.mark.parametrize("name", [*WORDS, "yank", "byoc", "family", "outdated"])
def test_the_glossary_has_a_sentence_for_each_word(name: str) -> None:
    term = glossary()[name]
    assert term.sentence.endswith((".", "…"))
    assert len(term.sentence) <= 200


def test_a_word_that_the_glossary_lacks_is_an_error() -> None:
    class Request:
        pass

    with pytest.raises(KeyError):
        Template('{% term "frobnicate" %}').render(Context({"request": Request()}))


def test_without_a_request_words_are_plain() -> None:
    assert Template('{% term "lint" "Lints" %}').render(Context()) == "Lints"


def test_an_all_yanked_tag_explains_the_word(visit: Visitor, acme: Namespace) -> None:
    publish("acme/gone", BOARD)
    yank("acme/gone@1.0.0")
    assert 'popovertarget="term-yank"' in visit("/versions/acme/gone").html
