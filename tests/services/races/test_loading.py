"""Loading the catalogue from two servers that start simultaneously."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from registry.services.core import shipped_facts
from tests.databases import new_registry
from tests.patience import PATIENCE
from tests.services.races.writer_pool import start_writers

LOAD = [sys.executable, "manage.py", "load_catalogue"]


def test_concurrent_loads_create_one_catalogue(tmp_path: Path) -> None:
    with new_registry(tmp_path) as environment:
        loaders = [
            subprocess.Popen(LOAD, env=environment, stdout=-1, stderr=-1, text=True)
            for _ in range(2)
        ]
        try:
            outputs = [loader.communicate(timeout=PATIENCE) for loader in loaders]
        finally:
            for loader in loaders:
                loader.kill()
        assert [loader.returncode for loader in loaders] == [0, 0], outputs
        with start_writers(1, environment) as single:
            (events,) = single.run({"job": "log", "after": 0})
    published = [subject for _, action, subject in events if action == "version.published"]
    assert len(set(published)) == len(published)
    assert len(published) == sum(len(tag.versions) for tag in shipped_facts.tags())
    pointed = [subject for _, action, subject in events if action == "alias.pointed"]
    assert sorted(pointed) == sorted(alias for tag in shipped_facts.tags() for alias in tag.aliases)
    created = [subject for _, action, subject in events if action == "namespace.made"]
    assert sorted(created) == sorted(entry["name"] for entry in shipped_facts.namespaces())


KILLED_LOAD = """
import os, signal
import django
django.setup()
from registry.services.catalogue import loading, shipped_tags
shipped_tags.FIRST_BATCH_SIZE = 50
load_batch, batches = shipped_tags._load_batch, iter(range(9))

def killed_after_three(*arguments):
    load_batch(*arguments)
    if next(batches) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

shipped_tags._load_batch = killed_after_three
loading.load_catalogue()
"""


@pytest.mark.system
def test_killed_load_is_completed_by_the_next(tmp_path: Path) -> None:
    with new_registry(tmp_path) as environment:
        settings = environment | {"DJANGO_SETTINGS_MODULE": "registry.settings"}
        killed = subprocess.run([sys.executable, "-c", KILLED_LOAD], env=settings, check=False)
        assert killed.returncode == -signal.SIGKILL
        with start_writers(1, environment) as single:
            (before,) = single.run({"job": "log", "after": 0})
            subprocess.run(LOAD, env=environment, check=True)
            (events,) = single.run({"job": "log", "after": 0})
        for command in (LOAD, [*LOAD[:2], "verify"]):
            subprocess.run(command, env=environment, check=True)
    published = [subject for _, action, subject in events if action == "version.published"]
    assert 0 < sum(action == "version.published" for _, action, _ in before) <= 3 * 50
    assert len(before) < len(events)
    assert len(set(published)) == len(published)
    assert len(published) == sum(len(tag.versions) for tag in shipped_facts.tags())
