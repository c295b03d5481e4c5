"""JSON is stored as text, so databases do not rewrite it."""

import pytest
from django.db import models

from registry.models import Event, KindRevision, Version
from tests.models.rows import another, own_models
from tests.publishing import publish

pytestmark = pytest.mark.django_db

NUMBERS = (
    ' {"b": 1e2, "a": 1.0,\n"c": 1E+400, "d": 0.10, "e": 12345678901234567890.000, "f": -0.0,'
    '\t"a": 5e-324, "g": "\\u00e9\\u00C9", "h": "\\/ Ω 💡"} '
)


@pytest.mark.parametrize(
    "column",
    ["source", "target", "provenance", "tuning_keys", "lineage", "dependencies", "sources"],
)
def test_numbers_survive_byte_for_byte(column: str) -> None:
    version = another(Version, patch=99, **{column: NUMBERS})
    version.refresh_from_db()
    assert getattr(version, column) == NUMBERS


def test_schemas_and_details_survive_byte_for_byte() -> None:
    revision = another(KindRevision, number=99, source=NUMBERS)
    event = another(Event, number=Event.objects.count() + 1, detail=NUMBERS)
    revision.refresh_from_db()
    event.refresh_from_db()
    assert (revision.source, event.detail) == (NUMBERS, NUMBERS)


def test_no_column_has_a_json_type() -> None:
    for model in own_models():
        for field in model._meta.local_concrete_fields:
            assert not isinstance(field, models.JSONField), field


@pytest.mark.usefixtures("acme")
def test_published_source_keeps_its_spelling_and_the_target_has_the_canonical_one() -> None:
    source = (
        '{"kind": "llvm", "num-cores": 4,'
        ' "hardware": {"peak_ops_per_s": {"fp32": 1.50e13, "fp16": 3E+013}, "power_watts": 65.0}}'
    )
    version = Version.objects.get(pk=publish("acme/board", source).pk)
    assert version.source == source
    assert version.target == (
        '{"hardware":{"peak_ops_per_s":{"fp16":30000000000000,"fp32":15000000000000},'
        '"power_watts":65},"kind":"llvm","num-cores":4}'
    )
