"""The synthetic catalogue that loading is measured with."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmarks import generate_catalogue
from registry.models import Version
from registry.services.core import shipped_facts

COUNT = 60


@pytest.mark.django_db
def test_every_version_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Version.objects.count()
    folder = generate_catalogue.write_catalogue(tmp_path, COUNT)
    monkeypatch.setattr(shipped_facts, "CATALOGUE", folder)
    output = StringIO()
    call_command("load_catalogue", stdout=output, stderr=output)
    assert "Skipped" not in output.getvalue()
    assert Version.objects.count() >= before + COUNT
