"""Generators become files of the catalogue, always the same."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catalogue_tools.__main__ import main
from catalogue_tools.entries import ReleasedTag
from catalogue_tools.files import differences, write_files
from catalogue_tools.generate import Generation, GenerationError, generate
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing, WrittenTag
from registry.domain.document import Json
from tests.catalogue_tools.small_catalogue import small_catalogue

URL = "https://example.org/facts"
FAMILY = GeneratedTag("acme/c8", "acme/c8", {"kind": "llvm"}, "Eight", (URL,), is_family=True)
SIZES = [
    replace(FAMILY, name=f"acme/c8.{size}xlarge", body={"tag": "acme/c8@1"}, is_family=False)
    for size in (12, 2)
]
ONE = {"name": "one", "cpu": "haswell", "cores": 4}

Item = GeneratedTag | Disagreement | Missing


def generation(
    *items: Item,
    written: tuple[WrittenTag, ...] = (),
    released: Mapping[str, ReleasedTag] | None = None,
) -> Generation:
    def generator() -> Iterator[Item]:
        yield from items

    return generate([generator], {tag.name: tag for tag in written}, ["acme"], released)


def released(files: Mapping[str, str]) -> dict[str, ReleasedTag]:
    """Return all tags of the file acme/c8 as released."""
    return {tag["tag"]: ReleasedTag("acme/c8", tag) for tag in entries(files)}


def problems(*items: Item, written: tuple[WrittenTag, ...] = ()) -> tuple[str, ...]:
    with pytest.raises(GenerationError) as error:
        generation(*items, written=written)
    return error.value.problems


def entries(files: Any, path: str = "generated/acme/c8.json") -> list[dict[str, Any]]:
    tags: list[dict[str, Any]] = json.loads(files[path])["tags"]
    return tags


def test_families_come_first_then_names_in_natural_order() -> None:
    tags = entries(generation(*SIZES, FAMILY).files)
    assert [tag["tag"] for tag in tags] == ["acme/c8", "acme/c8.2xlarge", "acme/c8.12xlarge"]
    assert tags[0] == {
        "tag": "acme/c8",
        "family": True,
        "versions": [{"message": "Eight", "sources": [URL], "target": {"kind": "llvm"}}],
    }


def test_order_of_subjects_does_not_matter() -> None:
    items: tuple[Item, ...] = (FAMILY, *SIZES, Missing("A", "x"), Missing("B", "x"))
    assert generation(*items).files == generation(*reversed(items)).files


def test_disagreements_and_missing_products_have_files() -> None:
    item = Disagreement("acme/c8", "cores", {URL: 1, "https://example.org/b": 2}, "The first.")
    files = generation(FAMILY, *SIZES, item, Missing("C9", "No source")).files
    assert json.loads(files["missing.json"])["missing"] == [
        {"product": "C9", "group": "Others", "reason": "No source"}
    ]
    assert json.loads(files["disagreements.json"])["disagreements"] == [
        {
            "tag": "acme/c8",
            "fact": "cores",
            "values": {URL: 1, "https://example.org/b": 2},
            "choice": "The first.",
        }
    ]


def test_hand_written_tag_wins() -> None:
    written = WrittenTag("acme/c8.2xlarge", bodies=({"kind": "llvm"},))
    result = generation(FAMILY, *SIZES, written=(written,))
    assert result.left_out == ("acme/c8.2xlarge",)
    assert [tag["tag"] for tag in entries(result.files)] == ["acme/c8", "acme/c8.12xlarge"]


def test_generated_version_follows_a_mirror() -> None:
    written = WrittenTag("acme/c8.2xlarge", bodies=({"kind": "llvm"},), mirrors_tvm=True)
    result = generation(FAMILY, *SIZES, written=(written,))
    assert result.left_out == ()
    assert len(entries(result.files)) == 3


def test_released_versions_stay_and_others_follow() -> None:
    first = generation(FAMILY, *SIZES)
    assert generation(FAMILY, *SIZES, released=released(first.files)).files == first.files
    changed = replace(FAMILY, body={"kind": "c"}, message="Corrected", file="acme/moved")
    second = generation(changed, *SIZES, released=released(first.files))
    (family,) = entries(second.files, "generated/acme/moved.json")
    assert [version["target"] for version in family["versions"]] == [
        {"kind": "llvm"},
        {"kind": "c"},
    ]
    assert family["versions"][0] == entries(first.files)[0]["versions"][0]


def test_released_tag_stays_without_facts() -> None:
    first = generation(FAMILY, *SIZES)
    assert generation(released=released(first.files)).files == first.files
    assert generation(FAMILY, released=released(first.files)).files == first.files


def test_version_that_is_not_released_is_rewritten() -> None:
    changed = replace(FAMILY, body={"kind": "c"})
    family, *_ = entries(generation(changed, *SIZES).files)
    assert [version["target"] for version in family["versions"]] == [{"kind": "c"}]


def test_released_version_stays_if_only_the_cited_commit_is_newer() -> None:
    def cited(commit: str, cores: int = 4) -> GeneratedTag:
        source = f"https://github.com/acme/lists/blob/{commit}/machines.json"
        hardware: dict[str, Any] = {"model": "C8", "sources": {"identity": [source]}}
        body: dict[str, Json] = {"kind": "llvm", "num-cores": cores, "hardware": hardware}
        return replace(SIZES[0], body=body, sources=(source,))

    old = generation(FAMILY, SIZES[1], cited("a" * 40)).files
    newer = generation(FAMILY, SIZES[1], cited("b" * 40), released=released(old)).files
    assert newer == old
    changed = generation(FAMILY, SIZES[1], cited("b" * 40, cores=6), released=released(old)).files
    assert [len(tag["versions"]) for tag in entries(changed)] == [1, 1, 2]


def test_released_tags_that_the_facts_no_longer_give_are_named() -> None:
    old = generation(FAMILY, *SIZES).files
    assert generation(FAMILY, SIZES[0], released=released(old)).gone == (SIZES[1].name,)


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ((replace(FAMILY, name="acme/C8", is_family=False),), "acme/C8 is not a tag"),
        (
            (replace(FAMILY, name="other/c8", is_family=False),),
            "other/c8 has a namespace that namespaces.json lacks.",
        ),
        ((FAMILY,), "acme/c8 is a family that nothing inherits from."),
        ((SIZES[0],), "acme/c8.12xlarge refers to acme/c8, which is no tag."),
        (
            (FAMILY, *SIZES, replace(SIZES[0], name="acme/c9", aliases=("acme/c8",))),
            "acme/c8 is the name or alias of 2 generated tags.",
        ),
        (
            (FAMILY, SIZES[0], replace(SIZES[1], name="acme/by-hand-too")),
            "acme/by-hand-too is a name or alias of the hand-written acme/by-hand.",
        ),
        ((FAMILY, replace(SIZES[0], file="C8.json")), "C8.json is not a folder and a file"),
        (
            (FAMILY, *(replace(SIZES[0], name=f"acme/c8.{size}") for size in range(400))),
            "acme/c8 would hold 401 tags: at most 400.",
        ),
        (
            (FAMILY, replace(SIZES[0], body={"tag": "acme/c8@1", "hardware": {"cores": 4}})),
            "acme/c8.12xlarge states facts of the group counts without a source.",
        ),
        ((FAMILY, SIZES[0], Disagreement("acme/c7", "cores", {})), "names acme/c7, which is no"),
    ],
)
def test_problem_is_a_sentence(items: tuple[Item, ...], problem: str) -> None:
    written = WrittenTag("acme/by-hand", ("acme/by-hand-too",), ({"kind": "llvm"},))
    (sentence,) = problems(*items, written=(written,))
    assert problem in sentence


def test_writing_changes_what_differs_and_removes_the_rest(tmp_path: Path) -> None:
    files = generation(FAMILY, *SIZES).files
    stale = tmp_path / "generated" / "gone" / "c7.json"
    stale.parent.mkdir(parents=True)
    stale.write_text("{}")
    assert write_files(files, tmp_path) == [
        "generated/gone/c7.json is no longer generated",
        "disagreements.json is missing",
        "generated/acme/c8.json is missing",
        "missing.json is missing",
    ]
    assert not stale.parent.exists()
    assert write_files(files, tmp_path) == []
    (tmp_path / "missing.json").write_text("{\n}")
    assert list(differences(files, tmp_path)) == ["missing.json differs from line 1"]


def test_check_fails_and_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_catalogue(tmp_path, monkeypatch, [ONE]):
        main(["generate"])
        main(["generate", "--check"])
        (tmp_path / "missing.json").unlink()
        with pytest.raises(SystemExit, match=r"missing\.json is missing"):
            main(["generate", "--check"])
        assert not (tmp_path / "missing.json").exists()
        main(["generate"])
        assert (tmp_path / "missing.json").exists()
