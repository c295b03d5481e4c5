"""The stored lints of versions."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.checks.checks import matching_kinds
from registry.domain.errors import Refused
from registry.domain.lints import rules
from registry.domain.reference import Reference
from registry.models import LintReport, Version
from registry.services.kinds import kinds
from registry.services.versions import drafting, linting, resolving
from registry.services.versions.resolving import ResolvedReference
from tests.domain.explained_lints import explained_lints
from tests.publishing import WITHOUT_LINTS, chain, publish
from tests.services.kinds.schemas import with_max_cores

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

FACTS = {"model": "E5-2666 v3", "sources": {"all": ["https://example.org/facts"]}}


def lints(answer: ResolvedReference) -> list[tuple[str, str]]:
    return [(lint["pointer"], lint["code"]) for lint in json.loads(answer.lints)]


def resolve(text: str) -> ResolvedReference:
    return resolving.resolve(Reference.parse(text))


def test_a_version_without_lints_has_no_row() -> None:
    version = publish("acme/board", WITHOUT_LINTS)
    assert not LintReport.objects.filter(version=version).exists()
    assert resolve("acme/board").lints == "[]"


def test_a_resolution_has_the_lints_of_its_publication() -> None:
    publish("acme/board", WITHOUT_LINTS | {"mcpu": "hasvell"})
    (lint,) = json.loads(resolve("acme/board").lints)
    assert lint == {
        "pointer": "/mcpu",
        "code": "MCPU_UNKNOWN",
        "message": "LLVM 22 does not know the processor hasvell for x86_64",
        "expected": "a processor by LLVM's name",
        "found": "hasvell",
        "suggestions": ["haswell"],
    }


def test_every_version_keeps_its_own_lints() -> None:
    publish("acme/board", WITHOUT_LINTS | {"mcpu": "hasvell"})
    publish("acme/board", WITHOUT_LINTS)
    assert lints(resolve("acme/board@1.0.0")) == [("/mcpu", "MCPU_UNKNOWN")]
    assert lints(resolve("acme/board")) == []


def test_hardware_inherited_with_another_processor_is_a_lint() -> None:
    publish("acme/board", WITHOUT_LINTS | {"hardware": FACTS})
    publish("acme/newer", {"tag": "acme/board", "mcpu": "skylake"})
    publish("acme/same", {"tag": "acme/board", "num-cores": 8})
    assert lints(resolve("acme/newer")) == [("/hardware", "HARDWARE_INHERITED")]
    assert lints(resolve("acme/same")) == []


def test_a_node_has_its_own_lints_with_pointers_into_it() -> None:
    bad: dict[str, Any] = WITHOUT_LINTS | {"mcpu": "hasvell"}
    body = {"kind": "composite", "devices": {"a": bad, "b": WITHOUT_LINTS}, "host": bad}
    publish("acme/pair", body)
    whole = resolve("acme/pair")
    assert lints(whole) == [
        ("/host/mcpu", "MCPU_UNKNOWN"),
        ("/devices/a/mcpu", "MCPU_UNKNOWN"),
    ]
    first, second = (
        lints(resolving.select_node(whole, pointer)) for pointer in ("/devices/a", "/devices/b")
    )
    assert sorted(first) == [("/host/mcpu", "MCPU_UNKNOWN"), ("/mcpu", "MCPU_UNKNOWN")]
    assert second == [("/host/mcpu", "MCPU_UNKNOWN")]


def test_one_target_has_at_most_100_lints() -> None:
    publish("acme/board", WITHOUT_LINTS | {"mattr": [f"+nothing{number}" for number in range(150)]})
    assert LintReport.objects.get(version__tag__text="acme/board").count == 100


def test_a_batch_takes_two_queries_with_any_number_of_lints() -> None:
    clean, linted = [], []
    for number in range(3):
        publish(f"acme/clean-{number}", WITHOUT_LINTS | {"num-cores": number + 1})
        publish(f"acme/linted-{number}", WITHOUT_LINTS | {"mcpu": f"hasvell{number}"})
        clean.append(f"acme/clean-{number}")
        linted.append(f"acme/linted-{number}")
    for texts in (clean[:1], clean, linted, clean + linted):
        with CaptureQueriesContext(connection) as captured:
            answers = resolving.resolve_all(texts)
            counts = [len(json.loads(a.lints)) for a in answers if isinstance(a, ResolvedReference)]
        assert len(captured) == 2
        assert counts == [int("linted" in text) for text in texts]


def test_computing_takes_three_queries_for_any_number_of_versions() -> None:
    chain(4)
    pks = list(Version.objects.filter(tag__namespace__name="acme").values_list("pk", flat=True))
    for some in (pks[-1:], pks):
        with CaptureQueriesContext(connection) as captured:
            linting.compute_reports(some)
        assert len([query for query in captured if "registry_kind" not in query["sql"]]) == 3


def test_computed_lints_are_those_of_publication() -> None:
    publish("acme/board", WITHOUT_LINTS | {"hardware": FACTS, "mattr": ["+neon"]})
    publish("acme/newer", {"tag": "acme/board", "mcpu": "skylake"})
    publish(
        "acme/pair",
        {"kind": "composite", "devices": ["acme/newer", {"tag": "acme/newer", "mcpu": "x"}]},
    )
    publish("acme/mixin", {"mcpu": "unheard-of"})
    pks = list(Version.objects.values_list("pk", flat=True))
    stored = linting.stored_reports(pks)
    assert linting.changed_versions(pks, linting.compute_reports(pks), stored) == []
    assert len(stored) >= 3


UNSAFE = WITHOUT_LINTS | {"cl-opt": ["-print-after-all"]}


@pytest.fixture
def published_before(monkeypatch: pytest.MonkeyPatch, acme: object) -> Version:
    """A version, a mixin and a composite as release 0.1 published them."""
    with monkeypatch.context() as patch:
        patch.setattr(
            drafting, "check_target", lambda target, kinds, _: matching_kinds(target, kinds)
        )
        patch.setattr(rules, "unsafe_text", lambda *_: iter(()))
        version = publish("acme/old", UNSAFE)
        publish("acme/mixin", {"mtriple": "x86_64-a/evil-linux-gnu"})
        flow = {"cuda.kernels_output_dir": "kernels"}
        publish("acme/pair", {"kind": "composite", "devices": {"a": WITHOUT_LINTS}, "flow": flow})
        assert not LintReport.objects.filter(version=version).exists()
    return version


def test_a_version_with_unsafe_text_resolves_with_a_lint(published_before: Version) -> None:
    before = resolve("acme/old")
    linting.relint(list(Version.objects.values_list("pk", flat=True)))
    after = resolve("acme/old")
    assert lints(after) == [("/cl-opt/0", "OPTION_UNSAFE")]
    assert (after.target, after.digest) == (before.target, before.digest)
    assert (after.tuning_keys, after.build_key) == (before.tuning_keys, before.build_key)
    assert lints(resolve("acme/mixin")) == [("/mtriple", "OPTION_UNSAFE")]
    pair = resolve("acme/pair")
    assert ("/flow/cuda.kernels_output_dir", "OPTION_UNSAFE") in lints(pair)
    node = resolving.select_node(pair, "/devices/a")
    assert lints(node)[0] == ("/flow/cuda.kernels_output_dir", "OPTION_UNSAFE")


@pytest.mark.usefixtures("published_before")
def test_who_inherits_unsafe_text_is_refused_until_it_is_dropped() -> None:
    with pytest.raises(Refused) as refused:
        publish("acme/child", {"tag": "acme/old", "num-cores": 8})
    (fault,) = refused.value.faults
    assert (refused.value.code, fault.pointer) == ("OPTION_UNSAFE", "/cl-opt/0")
    assert "acme/old@1.0.0" in fault.message
    publish("acme/child", {"tag": "acme/old", "cl-opt": None})
    assert lints(resolve("acme/child")) == []


@pytest.mark.usefixtures("published_before")
def test_unsafe_text_of_a_newest_version_prevents_no_revision_of_its_kind() -> None:
    preview = kinds.preview_revision("llvm", with_max_cores(70000))
    assert preview.is_possible


def test_newest_versions_of_the_catalogue_have_only_explained_lints() -> None:
    reports = LintReport.objects.filter(version__entry__isnull=False)
    stored = {
        (lint["code"], tag)
        for text, tag in reports.values_list("lints", "version__tag__text")
        for lint in json.loads(text)
        if lint["code"] != "TRIPLE_MISREAD"  # of versions that a later one corrects
    }
    assert stored <= explained_lints()
    assert stored
