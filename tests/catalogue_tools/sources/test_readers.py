"""Each source has readers for its repositories, or a reason why it has none."""

from pathlib import Path

import pytest

from catalogue_tools.facts import FACTS, read_table
from catalogue_tools.sources import readers
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.readers import (
    HAND_KEPT,
    READERS,
    hand_kept_tables,
    readers_for,
    readers_of,
)
from tests.catalogue_tools.small_catalogue import READER
from tests.docs import markdown

CLONE = Clone(Path("/clone"), "a" * 40, "2026-08-21")


def of(repo: str) -> Clone:
    return Clone(CLONE.folder, CLONE.commit, CLONE.commit_date, repo)


def test_every_table_has_readers_or_a_reason() -> None:
    tables = {str(path.relative_to(FACTS).with_suffix("")) for path in FACTS.rglob("*.json")}
    kept = {table for table in tables if table in HAND_KEPT or table.partition("/")[0] in HAND_KEPT}
    read = {reader.table for reader in READERS}
    assert read | kept == tables
    assert not read & kept


def test_every_reason_is_about_tables() -> None:
    for name in HAND_KEPT:
        path = FACTS / name
        assert path.is_dir() or path.with_suffix(".json").exists(), name


def test_readme_lists_what_is_kept_by_hand() -> None:
    rows = markdown.section("registry/catalogue/README.md", "Refreshing facts").rows
    listed = {next(markdown.code_spans(row[0])): row[1] for row in rows if len(row) == 2}
    assert listed == HAND_KEPT


def test_readme_lists_repositories_and_files() -> None:
    rows = markdown.section("registry/catalogue/README.md", "Refreshing facts").rows
    listed = [[tuple(markdown.code_spans(cell)) for cell in row] for row in rows if len(row) == 3]
    repos = {(reader.source, reader.repo) for reader in READERS}
    assert {(*source, *repo) for source, repo, _ in listed} == repos
    for source, repo, paths in listed:
        readers = [reader for reader in READERS if (reader.source, reader.repo) == (*source, *repo)]
        assert set(paths) == {f"/{path}" for reader in readers for path in reader.paths}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"{reader.table}-{reader.repo}")
def test_reader_fits_the_header_and_rows_of_its_table(reader: readers.Reader) -> None:
    table = read_table(reader.table)
    assert any(reader.reads(origin) for origin in table.header["sources"])
    keys = [tuple(row[field] for field in reader.key) for row in table.rows]
    assert len(set(keys)) == len(keys)


def test_only_repository_of_a_source_needs_not_be_stated() -> None:
    (reader,) = readers_for(CLONE, "karpenter")
    assert reader.table == "karpenter/ec2_types"
    assert readers_for(of("aws/karpenter-provider-aws"), "karpenter") == [reader]
    assert readers_for(of("me/fork"), "karpenter", "aws/karpenter-provider-aws") == [reader]


def test_clone_of_another_repository_is_refused() -> None:
    with pytest.raises(SourceError, match=r"a clone of me/fork; karpenter comes from aws/karp"):
        readers_for(of("me/fork"), "karpenter")


def test_one_of_several_repositories_must_be_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    other = readers.Reader("acme/boards", "acme/boards", (), ("name",), READER.read)
    monkeypatch.setattr(readers, "READERS", (READER, other))
    with pytest.raises(SourceError, match="comes from acme/boards or acme/lists: state with --rep"):
        readers_for(CLONE, "acme")
    assert readers_for(of("acme/boards"), "acme") == [other]


def test_unknown_source_is_refused_with_near_names() -> None:
    with pytest.raises(SourceError, match=r"no source karpentr\. Did you mean karpenter\?"):
        readers_of("karpentr")
    with pytest.raises(SourceError, match=r"no source xyz\. There are ai-hub, "):
        readers_of("xyz")


def test_source_kept_by_hand_is_refused_with_the_reason() -> None:
    with pytest.raises(SourceError, match="The tables of corrections are kept by hand: "):
        readers_of("corrections")


def test_tables_of_a_source_with_readers_can_be_kept_by_hand() -> None:
    assert list(hand_kept_tables("rocm-docs")) == ["rocm-docs/amd_architectures"]
    assert hand_kept_tables("karpenter") == {}
