"""The cache: shared by processes, never trusted, never in the way."""

import json
import time
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from ttag.http.cache import Cache

URL = "http://127.0.0.1:8000/api/v1/resolve/arm/soc?format=json"
BODY = b'{"tag": "arm/soc"}'


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def stored_object(cache: Cache) -> Path:
    (path,) = (path for path in (cache.folder / "objects").rglob("*") if path.is_file())
    return path


def test_response_is_found_by_its_url(cache: Cache) -> None:
    cache.store(URL, {"etag": '"x"'}, BODY)
    found = cache.find(URL)
    assert found
    assert (found.body, found.etag) == (BODY, '"x"')
    assert cache.find(f"{URL}&node=/host") is None


def test_response_is_fresh_as_long_as_the_registry_said(cache: Cache) -> None:
    cache.store(URL, {}, BODY, max_age=300)
    found = cache.find(URL)
    assert found
    assert found.is_fresh(found.stored + 299)
    assert not found.is_fresh(found.stored + 300)
    assert not found.is_fresh(found.stored - 1), "the clock was set back"


def test_body_is_named_after_its_digest(cache: Cache) -> None:
    cache.store(URL, {}, b"")
    path = stored_object(cache)
    assert path.parent.name + path.name == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )


def test_changed_body_is_not_used_and_is_replaced(cache: Cache) -> None:
    cache.store(URL, {}, BODY)
    stored_object(cache).write_bytes(b"something else")
    assert cache.find(URL) is None
    cache.store(URL, {}, BODY)
    assert cache.find(URL)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"url": 1}', json.dumps({"url": URL, "digest": "../../etc/passwd"})]
)
def test_unreadable_record_is_not_used(cache: Cache, text: str) -> None:
    cache.store(URL, {}, BODY)
    (record,) = (cache.folder / "responses").rglob("*.json")
    record.write_text(text)
    assert cache.find(URL) is None


def test_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache")
    cache.store(URL, {}, BODY)
    assert cache.find(URL) is None


def fill(folder: str, name: int) -> None:
    """Store and read as a process of its own."""
    cache = Cache(Path(folder))
    for round_ in range(50):
        cache.store(URL, {"etag": f'"{name}"'}, b"%d" % name)
        found = cache.find(URL)
        assert found is not None, round_


def test_many_processes_share_a_folder(cache: Cache) -> None:
    context = get_context("spawn")
    processes = [context.Process(target=fill, args=(str(cache.folder), n)) for n in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=PATIENCE)
    assert [process.exitcode for process in processes] == [0] * 4
    found = cache.find(URL)
    assert found
    assert f'"{found.body.decode()}"' == found.etag, "a record always belongs to its body"
    assert found.stored <= time.time()
    leftovers = [path for path in cache.folder.rglob(".*") if path.is_file()]
    assert leftovers == []
