"""Errors in the files of the catalogue."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from catalogue_tools.generate import generated_entries
from registry.domain.errors import Refused
from registry.services.core import shipped_facts

VERSION = {"target": {"kind": "llvm"}, "message": "New"}
TAG = {"tag": "acme/board", "versions": [VERSION]}


@pytest.fixture
def tag_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the only tag file of a catalogue."""
    monkeypatch.setattr(shipped_facts, "CATALOGUE", tmp_path)
    path = tmp_path / "tags" / "acme" / "board.json"
    path.parent.mkdir(parents=True)
    (tmp_path / "namespaces.json").write_text('{"namespaces": []}')
    return path


@pytest.mark.any_database
def test_tags_are_in_fewer_than_400_files() -> None:
    assert len({tag.file for tag in shipped_facts.every_tag()}) < 400


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"tags": [\n  {"tag": "acme/board",}]}', "invalid JSON at line 2, column 24: "),
        (b'{"tags": "\xff"}', "byte 10 is not UTF-8."),
        ([], "at the top, [] is not of type object."),
        ({}, "at the top, the option tags is missing."),
        ({"tags": [{"tag": "acme/board"}]}, "at /tags/0, the option versions is missing."),
        (
            {"tags": [TAG | {"alias": ["acme/b"]}]},
            "at /tags/0/alias, this object has no option alias. Did you mean aliases?",
        ),
        ({"tags": [TAG | {"versions": []}]}, "at /tags/0/versions, [] is not a list of at least 1"),
        (
            {"tags": [TAG | {"versions": [VERSION | {"target": "llvm"}]}]},
            'at /tags/0/versions/0/target, "llvm" is not of type object.',
        ),
        ({"tags": [TAG | {"family": "yes"}]}, 'at /tags/0/family, "yes" is not of type boolean.'),
    ],
)
def test_error_names_the_file_and_the_place(tag_file: Path, content: Any, problem: str) -> None:
    if isinstance(content, bytes):
        tag_file.write_bytes(content)
    else:
        tag_file.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(Refused) as refused:
        list(shipped_facts.tags())
    assert refused.value.detail.startswith(f"{tag_file}: {problem}")


def test_tag_knows_its_file(tag_file: Path) -> None:
    tag_file.write_text(json.dumps({"tags": [TAG]}))
    (tag,) = shipped_facts.tags()
    assert (tag.name, tag.file) == ("acme/board", "tags/acme/board.json")


def test_generated_versions_follow_the_mirror_of_the_same_name(tag_file: Path) -> None:
    mirror = TAG | {"versions": [VERSION | {"mirrors": "tvm-0.27.0.post1"}]}
    tag_file.write_text(json.dumps({"tags": [mirror | {"aliases": ["acme/b"]}]}))
    generated = tag_file.parents[2] / "generated" / "acme" / "boards.json"
    generated.parent.mkdir(parents=True)
    newer = {"target": {"kind": "c"}, "message": "Facts"}
    other = {"tag": "acme/other", "versions": [newer]}
    generated.write_text(
        json.dumps({"tags": [TAG | {"aliases": ["acme/a"], "versions": [newer]}, other]})
    )
    board, second = shipped_facts.every_tag()
    assert (board.name, board.aliases) == ("acme/board", ("acme/b", "acme/a"))
    assert [version.body for version in board.versions] == [{"kind": "llvm"}, {"kind": "c"}]
    assert (second.name, second.file) == ("acme/other", "generated/acme/boards.json")
    entries = [(file, entry["tag"]) for file, entry in generated_entries()]
    assert entries == [("acme/boards", "acme/board"), ("acme/boards", "acme/other")]


def test_basic_catalogue_has_only_hand_written_tags_and_their_namespaces(
    tag_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [{"name": "acme"}, {"name": "other"}]
    (tag_file.parents[2] / "namespaces.json").write_text(json.dumps({"namespaces": entries}))
    generated = tag_file.parents[2] / "generated" / "other" / "boards.json"
    generated.parent.mkdir(parents=True)
    tag_file.write_text(json.dumps({"tags": [TAG]}))
    generated.write_text(json.dumps({"tags": [TAG | {"tag": "other/board"}]}))
    names = {"basic": ["acme/board"], "all": ["acme/board", "other/board"]}
    for choice, expected in names.items():
        monkeypatch.setattr(settings, "CATALOGUE", choice)
        assert [tag.name for tag in shipped_facts.tags()] == expected
        assert [f"{entry['name']}/board" for entry in shipped_facts.namespaces()] == expected


@pytest.mark.django_db
def test_command_shows_the_error(tag_file: Path) -> None:
    tag_file.write_text("{")
    with pytest.raises(CommandError, match=r"board\.json: invalid JSON at line 1, column 2"):
        call_command("load_catalogue")
