"""Recent news of the registry, a namespace and a tag."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.events import news
from registry.services.events.news import News, NewsAction
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def summarize(found: News) -> list[tuple[NewsAction, str]]:
    return [(item.action, item.subject) for item in found.items]


@pytest.fixture
def eventful(acme: Namespace, alice: User) -> None:
    """Publish two tags; yank, unyank and yank a version of one, deprecate the other."""
    publish("acme/board", BOARD, message="A board")
    publish("acme/chip", BOARD)
    yank("acme/board@1.0.0", "wrong cores")
    yanking.unyank(
        Reference.parse("acme/board@1.0.0"), reason="right after all", actor=Actor.operator(alice)
    )
    yank("acme/board@1.0.0", "wrong again")
    board = TagName.parse("acme/board")
    deprecation.deprecate(
        TagName.parse("acme/chip"), reason="old", successor=board, actor=Actor.operator(alice)
    )
    deprecation.undeprecate(
        TagName.parse("acme/chip"), reason="still sold", actor=Actor.operator(alice)
    )


@pytest.mark.usefixtures("eventful")
def test_newest_comes_first() -> None:
    expected = [
        (NewsAction.UNDEPRECATED, "acme/chip"),
        (NewsAction.DEPRECATED, "acme/chip"),
        (NewsAction.YANKED, "acme/board@1.0.0"),
        (NewsAction.UNYANKED, "acme/board@1.0.0"),
        (NewsAction.YANKED, "acme/board@1.0.0"),
        (NewsAction.PUBLISHED, "acme/chip@1.0.0"),
        (NewsAction.PUBLISHED, "acme/board@1.0.0"),
    ]
    assert summarize(news.namespace_news("acme")) == expected
    assert summarize(news.registry_news())[:7] == expected
    board_news = [(action, subject) for action, subject in expected if "board" in subject]
    assert summarize(news.tag_news(Reference.parse("acme/board"))) == board_news


@pytest.mark.usefixtures("eventful")
def test_news_items_have_user_message_and_sequence() -> None:
    items = news.tag_news(Reference.parse("acme/board")).items
    assert {item.user.username for item in items} == {"alice"}
    assert [item.message for item in items] == [
        "wrong again",
        "right after all",
        "wrong cores",
        "A board",
    ]
    assert [item.sequence for item in items] == [3, 2, 1, 1]
    (_, deprecated, _) = news.tag_news(Reference.parse("acme/chip")).items
    assert deprecated.successor == "acme/board"


def test_alias_has_the_news_of_its_tag(acme: Namespace, alice: User) -> None:
    publish("acme/board", BOARD)
    aliases.point_alias("acme/Board", Reference.parse("acme/board"), actor=Actor.operator(alice))
    assert news.tag_news(Reference.parse("acme/Board")).name == "acme/board"


def test_unknown_name_is_rejected_with_similar_names(acme: Namespace) -> None:
    publish("acme/board", BOARD)
    with pytest.raises(Refused) as refused:
        news.tag_news(Reference.parse("acme/boards"))
    assert refused.value.code is Code.TAG_UNKNOWN
    assert "acme/board" in refused.value.suggestions
    with pytest.raises(Refused) as refused:
        news.namespace_news("acmee")
    assert refused.value.code is Code.NAMESPACE_UNKNOWN


def test_namespace_without_tags_has_no_news(acme: Namespace) -> None:
    found = news.namespace_news("acme")
    assert found.items == ()
    assert found.created == acme.created


def test_number_of_queries_and_rows_does_not_grow(
    acme: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "MAX_NEWS", 3)

    def query_counts() -> tuple[int, int, int]:
        counts = []
        board = Reference.parse("acme/board")
        for read in (
            news.registry_news,
            lambda: news.namespace_news("acme"),
            lambda: news.tag_news(board),
        ):
            with CaptureQueriesContext(connection) as queries:
                assert len(read().items) <= 3
            counts.append(len(queries))
        return counts[0], counts[1], counts[2]

    publish("acme/board", BOARD)
    assert query_counts() == (4, 6, 6)
    for cores in range(6):
        version = publish("acme/board", BOARD | {"num-cores": cores + 1})
        yank(f"acme/board@{version.number}")
    assert query_counts() == (4, 6, 6)


def test_news_of_a_namespace_leave_nothing_out(
    acme: Namespace, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of its tags they are about."""
    for number in range(9):
        publish(f"acme/board-{number}", BOARD)
    for number in (1, 0):
        publish(f"acme/board-{number}", BOARD | {"num-cores": 2})
    yank("acme/board-2@1.0.0")
    yank("acme/board-1@1.0.0")
    actor = Actor.operator(alice)
    deprecation.deprecate(TagName.parse("acme/board-8"), reason="old", actor=actor)
    everything = news.namespace_news("acme").items
    assert len(everything) == 9 + 2 + 2 + 1
    monkeypatch.setattr(news, "MAX_NEWS", 4)
    assert news.namespace_news("acme").items == everything[:4]
