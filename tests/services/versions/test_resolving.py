"""Resolving references."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.api.versions.resolution_serializers import ResolutionSerializer
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from registry.services.versions import families, resolving
from registry.services.versions.resolving import ResolutionWarning, ResolvedReference
from tests.publishing import chain, publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def resolve(text: str) -> ResolvedReference:
    return resolving.resolve(Reference.parse(text))


def refusal(text: str) -> Refused:
    with pytest.raises(Refused) as refused:
        resolve(text)
    return refused.value


@pytest.fixture
def versions(acme: Namespace) -> None:
    """Publish 1.0.0, 1.1.0, 2.0.0 and 1.2.0 in this order; yank 2.0.0."""
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"runtime": "cpp"})
    publish("acme/board", BOARD | {"num-cores": 8})
    yank("acme/board@2.0.0", "counted threads")
    publish("acme/board", BOARD | {"runtime": "crt"})


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize(
    ("reference", "exact"),
    [
        ("acme/board", "acme/board@1.2.0"),
        ("acme/board@1", "acme/board@1.2.0"),
        ("acme/board@1.1", "acme/board@1.1.0"),
        ("acme/board@1.0.0", "acme/board@1.0.0"),
        ("acme/board@2.0.0", "acme/board@2.0.0"),
    ],
)
def test_selector_chooses_the_version(reference: str, exact: str) -> None:
    assert resolve(reference).exact == exact


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize("reference", ["acme/board@2", "acme/board@1.3", "acme/board@1.1.1"])
def test_error_for_an_unknown_version_lists_existing_ones(reference: str) -> None:
    refused = refusal(reference)
    assert refused.code == Code.VERSION_UNKNOWN
    assert refused.suggestions == ("acme/board@1.2.0", "acme/board@1.1.0", "acme/board@1.0.0")


@pytest.mark.usefixtures("versions")
def test_digest_chooses_unyanked_versions_first() -> None:
    first = resolve("acme/board@1.0.0").version.digest
    assert resolve(f"acme/board@{first}").exact == "acme/board@1.0.0"
    yanked = resolve("acme/board@2.0.0").version.digest
    assert resolve(f"acme/board@{yanked}").exact == "acme/board@2.0.0"


@pytest.mark.usefixtures("versions")
def test_yanked_version_has_a_warning_with_the_reason() -> None:
    resolved = resolve("acme/board@2.0.0")
    assert resolved.status == "yanked"
    message = "acme/board@2.0.0 was yanked: counted threads"
    assert resolved.warnings == [ResolutionWarning("YANKED", message)]


def test_only_exact_references_to_a_fully_yanked_tag_resolve() -> None:
    publish("acme/board", BOARD)
    yank("acme/board@1.0.0")
    assert refusal("acme/board").code == Code.VERSION_UNKNOWN
    assert resolve("acme/board@1.0.0").status == "yanked"


@pytest.mark.parametrize("selector", ["", "@1", "@1.0", "@2.0.0", f"@sha256:{'0' * 64}"])
def test_fully_yanked_tag_is_not_suggested_for_itself(alice: User, selector: str) -> None:
    publish("acme/board", BOARD)
    publish("acme/board-2", BOARD)
    aliases.point_alias("acme/boards", Reference.parse("acme/board"), actor=Actor.operator(alice))
    yank("acme/board@1.0.0")
    by_tag, by_alias = refusal(f"acme/board{selector}"), refusal(f"acme/boards{selector}")
    assert by_tag.code == by_alias.code == Code.VERSION_UNKNOWN
    assert by_tag.suggestions == ("acme/board-2",)
    assert "acme/board" not in by_alias.suggestions


def test_yanked_ancestor_at_any_depth_is_a_warning() -> None:
    last = chain(4)
    yank("acme/link-1@1.0.0")
    yank("acme/link-2@1.0.0")
    assert [warning.code for warning in resolve(last).warnings] == ["PARENT_YANKED"] * 2
    messages = " ".join(warning.message for warning in resolve(last).warnings)
    assert "acme/link-1@1.0.0" in messages
    assert "acme/link-2@1.0.0" in messages


def test_warning_of_a_deprecated_tag_names_its_successor(alice: User) -> None:
    publish("acme/old", BOARD)
    publish("acme/new", BOARD | {"num-cores": 8})
    deprecation.deprecate(
        Tag.parse("acme/old"),
        reason="renamed",
        actor=Actor.operator(alice),
        successor=Tag.parse("acme/new"),
    )
    resolved = resolve("acme/old")
    assert resolved.status == "deprecated"
    assert resolved.warnings == [
        ResolutionWarning("DEPRECATED", "acme/old is deprecated: renamed", "acme/new")
    ]
    deprecation.undeprecate(Tag.parse("acme/old"), reason="not yet", actor=Actor.operator(alice))
    assert resolve("acme/old").warnings == []


@pytest.fixture
def accelerated(acme: Namespace, alice: User) -> None:
    """Publish the family of a machine with a GPU, that of its GPUs, and a family without any."""
    assert acme.name == "acme"
    publish("acme/g5", BOARD)
    publish("acme/g5:gpu", {"kind": "cuda", "arch": "sm_86"})
    publish("acme/g5:cpu", BOARD | {"num-cores": 2})
    publish("acme/g5-big", BOARD | {"num-cores": 16})
    for name in ("acme/g5", "acme/g5:gpu", "acme/g5:cpu", "acme/g5-big"):
        families.set_family(Tag.parse(name), is_family=True, actor=Actor.operator(alice))


@pytest.mark.usefixtures("accelerated")
def test_family_whose_machines_have_an_accelerator_says_so() -> None:
    message = (
        "acme/g5 builds for the CPU that its machines share; these build for their accelerator: "
        "acme/g5:gpu"
    )
    warning = ResolutionWarning("FAMILY", message)
    assert resolve("acme/g5").warnings == [warning]
    assert resolve("acme/g5@1.0.0").warnings == [warning]
    several = resolving.resolve_all(["acme/g5", "acme/g5@1", "acme/g5-big"])
    answers = [answer for answer in several if isinstance(answer, ResolvedReference)]
    assert [answer.warnings for answer in answers] == [[warning], [warning], []]


@pytest.mark.usefixtures("accelerated")
def test_other_tags_do_not_speak_of_accelerators(alice: User) -> None:
    for name in ("acme/g5:gpu", "acme/g5:cpu", "acme/g5-big"):
        assert resolve(name).warnings == []
    families.set_family(Tag.parse("acme/g5"), is_family=False, actor=Actor.operator(alice))
    assert resolve("acme/g5").warnings == []


def test_alias_resolves_to_the_tag() -> None:
    resolved = resolve("nvidia/a100")
    assert (resolved.exact, resolved.is_alias) == ("nvidia/nvidia-a100@2.0.0", True)
    assert str(resolved.reference) == "nvidia/a100"
    assert resolved.version.tag.text == "nvidia/nvidia-a100"


def test_alias_that_is_not_a_valid_tag_name_resolves() -> None:
    resolved = resolve("nvidia/geforce-gt-730-ddr3,128bit")
    assert resolved.exact == "nvidia/geforce-gt-730-ddr3-128bit@1.0.0"


@pytest.mark.parametrize("selector", ["@1", "@1.0.0", "{digest}"])
def test_alias_can_pin_a_version(alice: User, selector: str) -> None:
    first = publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 8})
    target = "acme/board" + selector.replace("{digest}", f"@{first.digest}")
    aliases.point_alias("acme/first", Reference.parse(target), actor=Actor.operator(alice))
    assert resolve("acme/first").exact == "acme/board@1.0.0"
    refused = refusal("acme/first@1")
    assert refused.code == Code.REFERENCE_INVALID
    assert "alias" in refused.detail


def test_error_for_an_unknown_tag_has_suggestions() -> None:
    refused = refusal("nvidia/rtx4090")
    assert refused.code == Code.TAG_UNKNOWN
    assert refused.suggestions[0] == "nvidia/geforce-rtx-4090"


def test_malformed_reference_is_rejected() -> None:
    refused = refusal("nvidia/RTX,4090")
    assert refused.code == Code.REFERENCE_INVALID
    assert "nvidia/geforce-rtx-4090" in refused.suggestions


@pytest.mark.parametrize(("selector", "queries"), [("", 1), ("@1", 1), ("@1.0.0", 2)])
@pytest.mark.parametrize("depth", [1, 16])
def test_same_number_of_queries_at_any_depth(depth: int, selector: str, queries: int) -> None:
    reference = Reference.parse(chain(depth) + selector)
    with CaptureQueriesContext(connection) as captured:
        assert ResolutionSerializer(resolving.resolve(reference)).data
    assert len(captured) == queries


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize(
    ("text", "queries"),
    [("acme/board", 1), ("acme/any", 1), ("acme/first", 1), ("acme/board@1.1", 3), ("acme/old", 3)],
)
def test_only_the_newest_version_is_found_in_one_query(
    text: str, queries: int, alice: User
) -> None:
    for alias, target in [("any", ""), ("first", "@1"), ("old", "@1.1")]:
        aliased = Reference.parse(f"acme/board{target}")
        aliases.point_alias(f"acme/{alias}", aliased, actor=Actor.operator(alice))
    with CaptureQueriesContext(connection) as captured:
        single = resolve(text)
    assert len(captured) == queries
    assert [single] == resolving.resolve_all([text])
    assert single.version.yanked is False


def test_number_of_queries_with_every_warning(alice: User) -> None:
    last = chain(3)
    yank("acme/link-0@1.0.0")
    yank(f"{last}@1.0.0")
    deprecation.deprecate(Tag.parse(last), reason="old", actor=Actor.operator(alice))
    with CaptureQueriesContext(connection) as captured:
        resolved = resolve(f"{last}@1.0.0")
        assert len(resolved.warnings) == 3
    assert len(captured) == 3
    with CaptureQueriesContext(connection) as captured:  # aws/c4 is a family
        resolving.resolve_all([f"{last}@1.0.0", "aws/c4", "acme/nothing"])
    assert len(captured) == 4


def test_digest_resolves_to_exactly_the_digested_text() -> None:
    version = publish("acme/board", BOARD)
    assert resolving.find_target(version.digest) == (version.target, version.tag.text)
    with pytest.raises(Refused) as refused:
        resolving.find_target("sha256:" + "0" * 64)
    assert refused.value.code == Code.DIGEST_UNKNOWN
