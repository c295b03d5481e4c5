"""Pages, feeds, badges and API responses for a tag in each of its states."""

from collections.abc import Callable, Mapping

import pytest
from django.test import Client

from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation, renaming
from registry.services.versions import yanking
from tests.publishing import publish, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
NAME = Tag.parse("acme/cpu")


def active(alice: User) -> None:
    """Leave the tag with its versions 1.0.0 and 2.0.0."""


def newest_yanked(alice: User) -> None:
    yank("acme/cpu@2.0.0")


def all_yanked(alice: User) -> None:
    yank("acme/cpu@1.0.0")
    yank("acme/cpu@2.0.0")


def unyanked(alice: User) -> None:
    yank("acme/cpu@2.0.0")
    yanking.unyank(Reference.parse("acme/cpu@2.0.0"), reason="right", actor=Actor.operator(alice))


def deprecated(alice: User) -> None:
    deprecation.deprecate(NAME, reason="too old", actor=Actor.operator(alice))


def deprecated_with_successor(alice: User) -> None:
    other = Tag.parse("acme/next")
    deprecation.deprecate(NAME, reason="too old", successor=other, actor=Actor.operator(alice))


def undeprecated(alice: User) -> None:
    deprecated(alice)
    deprecation.undeprecate(NAME, reason="still good", actor=Actor.operator(alice))


def renamed(alice: User) -> None:
    renaming.rename_tag(
        NAME, Tag.parse("acme/renamed"), reason="moved", actor=Actor.operator(alice)
    )


def aliased(alice: User) -> None:
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu"), actor=Actor.operator(alice))


# The texts of each URL; those that start with "!" must be absent.
DEPRECATION = "acme/cpu is deprecated: too old"
YANKED = "acme/cpu@2.0.0 was yanked: wrong figures"
STATES: list[tuple[Callable[[User], None], Mapping[str, tuple[str, ...]]]] = [
    (
        active,
        {
            "/tags/acme/cpu": ("2.0.0 newest", "Status active", "!By alice"),
            "/versions/acme/cpu": ("2.0.0 newest", "!yanked", "!deprecated"),
            "/used-by/acme/cpu": ("acme/board@1.0.0", "!deprecated", "!yanked"),
            "/?namespace=acme": ("acme/cpu", "!yanked", "!▲ deprecated"),
            "/badges/acme/cpu.svg": ("2.0.0", "!deprecated", "!yanked"),
            "/tags/acme/cpu.atom": ("acme/cpu 2.0.0 published", "!yanked"),
            "/api/v1/resolve/acme/cpu": ('"version":"2.0.0"', '"warnings":[]'),
        },
    ),
    (
        newest_yanked,
        {
            "/tags/acme/cpu@2.0.0": (YANKED, "By alice", "newest is 1.0.0", "✕ yanked"),
            "/tags/acme/cpu": ("1.0.0 newest", "Status active", "Yanked: wrong figures"),
            "/versions/acme/cpu": ("2.0.0 ✕ yanked", "1.0.0 newest", "Yanked: wrong figures"),
            "/tags/acme/board": (
                "made from acme/cpu@2.0.0, which was yanked",
                "Outdated: if published again today, it would use acme/cpu@1.0.0",
            ),
            "/used-by/acme/cpu@2.0.0": ("acme/board@1.0.0", "▲ outdated"),
            "/badges/acme/cpu.svg": ("1.0.0", "!yanked"),
            "/badges/acme/cpu@2.0.0.svg": ("2.0.0", "yanked"),
            "/tags/acme/cpu.atom": ("acme/cpu@2.0.0", "yanked", "wrong figures"),
            "/api/v1/resolve/acme/cpu@2.0.0": ('"status":"yanked"', '"code":"YANKED"'),
            "/api/v1/resolve/acme/cpu": ('"version":"1.0.0"', '"warnings":[]'),
        },
    ),
    (
        all_yanked,
        {
            "/tags/acme/cpu": ("There is no version of acme/cpu that is not yanked", "2.0.0"),
            "/tags/acme/cpu@2.0.0": (YANKED, "By alice"),
            "/versions/acme/cpu": ("Every version is yanked", "!newest 2"),
            "/used-by/acme/cpu": ("Every version is yanked", "acme/board@1.0.0"),
            "/?namespace=acme&status=yanked": ("acme/cpu", "✕ yanked"),
            "/tags/acme/board": ("acme/cpu , which no longer resolves",),
            "/api/v1/resolve/acme/cpu": ("VERSION_UNKNOWN",),
        },
    ),
    (
        unyanked,
        {
            "/tags/acme/cpu": ("2.0.0 newest", "!wrong figures"),
            "/versions/acme/cpu": ("2.0.0 newest", "!✕ yanked"),
            "/tags/acme/cpu.atom": ("unyanked", "right"),
            "/api/v1/resolve/acme/cpu@2.0.0": ('"status":"active"', '"warnings":[]'),
        },
    ),
    (
        deprecated,
        {
            "/tags/acme/cpu": (DEPRECATION, "By alice", "▲ deprecated", "!instead"),
            "/source/acme/cpu": (DEPRECATION,),
            "/versions/acme/cpu": (DEPRECATION, "By alice", "!instead"),
            "/used-by/acme/cpu": (DEPRECATION, "By alice"),
            "/?namespace=acme&status=deprecated": ("acme/cpu", "▲ deprecated"),
            "/badges/acme/cpu.svg": ("2.0.0", "deprecated"),
            "/tags/acme/cpu.atom": ("acme/cpu deprecated", "too old"),
            "/api/v1/resolve/acme/cpu": ('"status":"deprecated"', '"code":"DEPRECATED"'),
        },
    ),
    (
        deprecated_with_successor,
        {
            "/tags/acme/cpu": (DEPRECATION, "Use acme/next instead."),
            "/versions/acme/cpu": ("Use acme/next instead.",),
            "/used-by/acme/cpu": ("Use acme/next instead.",),
            "/tags/acme/cpu.atom": ("Use acme/next instead.",),
            "/api/v1/resolve/acme/cpu": ('"successor":"acme/next"',),
        },
    ),
    (
        undeprecated,
        {
            "/tags/acme/cpu": ("Status active", "!too old"),
            "/versions/acme/cpu": ("!too old",),
            "/tags/acme/cpu.atom": ("undeprecated", "still good"),
            "/api/v1/resolve/acme/cpu": ('"status":"active"', '"warnings":[]'),
        },
    ),
    (
        renamed,
        {
            "/tags/acme/cpu": ("is deprecated: moved", "Use acme/renamed instead."),
            "/tags/acme/renamed": ("1.0.0 newest", "Renamed from acme/cpu", "!deprecated"),
            "/namespaces/acme.atom": ("acme/renamed 1.0.0 published", "acme/cpu deprecated"),
            "/api/v1/resolve/acme/cpu": ('"successor":"acme/renamed"',),
        },
    ),
    (
        aliased,
        {
            "/tags/acme/CPU": ("acme/CPU is an alias of acme/cpu", "2.0.0 newest"),
            "/tags/acme/cpu": ("Also acme/CPU",),
            "/versions/acme/CPU": ("acme/CPU is an alias of acme/cpu",),
            "/badges/acme/CPU.svg": ("2.0.0",),
            "/api/v1/resolve/acme/CPU": ('"tag":"acme/cpu"',),
        },
    ),
]


@pytest.fixture(autouse=True)
def tags(acme: object) -> None:
    """Publish a tag with two versions, and a board that inherits from the newer one."""
    publish("acme/next", CPU | {"num-cores": 16})
    publish("acme/cpu", CPU)
    publish("acme/cpu", CPU | {"num-cores": 8})
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})


@pytest.mark.parametrize(
    ("state", "path", "texts"),
    [
        pytest.param(state, path, texts, id=f"{state.__name__} {path}")
        for state, table in STATES
        for path, texts in table.items()
    ],
)
def test_state_is_shown(
    state: Callable[[User], None],
    path: str,
    texts: tuple[str, ...],
    alice: User,
    visit: Visitor,
) -> None:
    state(alice)
    page = visit(path)
    body = page.text if "<main" in page.html else page.html
    for text in texts:
        assert (text.removeprefix("!") in body) is not text.startswith("!"), text


def offered_actions(client: Client, path: str) -> list[str]:
    page = client.get(path).content.decode().partition('id="change"')[2].partition("</ul>")[0]
    return [part.partition("</a>")[0].rpartition(">")[2] for part in page.split("<li>")[1:]]


def test_actions_are_offered_to_users_with_permission(client: Client, alice: User) -> None:
    propose = ["Propose a change", "Report a wrong fact"]
    assert offered_actions(client, "/tags/acme/cpu") == propose
    client.force_login(User.objects.create_user("eve"))
    assert offered_actions(client, "/tags/acme/cpu") == propose
    client.force_login(alice)
    other_actions = ["Deprecate", "Rename", "Mark as family", "Alias", "Rebase dependents"]
    assert offered_actions(client, "/tags/acme/cpu") == [*propose, "Yank 2.0.0", *other_actions]
    newest_yanked(alice)
    assert offered_actions(client, "/tags/acme/cpu@2.0.0") == [
        *propose,
        "Undo yank of 2.0.0",
        *other_actions,
    ]
    deprecated(alice)
    assert offered_actions(client, "/tags/acme/cpu") == [
        *propose,
        "Yank 1.0.0",
        "Undo deprecation",
        "Mark as family",
        "Alias",
        "Rebase dependents",
    ]


def test_version_list_offers_yanking_to_users_with_permission(visit: Visitor, alice: User) -> None:
    assert "/yank/acme/cpu@2.0.0" not in visit("/versions/acme/cpu").links
    newest_yanked(alice)
    visit.client.force_login(alice)
    assert {"/yank/acme/cpu@1.0.0", "/unyank/acme/cpu@2.0.0"} <= {
        *visit("/versions/acme/cpu").links
    }
