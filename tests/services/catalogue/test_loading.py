"""The shipped catalogue and its loading."""

import json

import pytest

from registry.domain.document import canonical
from registry.domain.reference import Reference
from registry.models import Event, KindRevision, Name, Namespace, Tag, User, Version
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import LoadResult
from registry.services.core import shipped_facts
from registry.services.versions import resolving

pytestmark = pytest.mark.django_db


def test_whole_catalogue_is_loaded() -> None:
    tags = list(shipped_facts.tags())
    assert Tag.objects.count() == len(tags)
    assert Version.objects.count() == sum(len(tag.versions) for tag in tags)
    assert Name.objects.filter(is_alias=True).count() == sum(len(tag.aliases) for tag in tags)
    assert Namespace.objects.count() == len(shipped_facts.namespaces())
    assert KindRevision.objects.count() == len(shipped_facts.kinds())


def test_loading_again_changes_nothing() -> None:
    before = Event.objects.count()
    assert loading.load_catalogue() == LoadResult((), ())
    assert Event.objects.count() == before


def test_progress_ends_with_the_number_of_tags() -> None:
    steps: list[tuple[str, int, int]] = []
    loading.load_catalogue(lambda *step: steps.append(step))
    total = Tag.objects.count()
    assert steps == [("tags", total, total)]


def test_versions_that_mirror_tvm_resolve_to_its_configuration() -> None:
    mirrored = {
        (tag.name, index): version
        for tag in shipped_facts.tags()
        for index, version in enumerate(tag.versions)
        if version.mirrors
    }
    assert len(mirrored) == 287
    stored = Version.objects.order_by("tag__text", "pk").values_list("tag__text", "target")
    targets: dict[str, list[str]] = {}
    for tag, target in stored:
        targets.setdefault(tag, []).append(target)
    for (tag, index), version in mirrored.items():
        assert targets[tag][index] == canonical(version.body).decode(), tag


def test_named_examples_of_the_discussion_resolve() -> None:
    soc = resolving.resolve(Reference.parse("arm/soc-name:aot"))
    assert soc.version.tag.text == "arm/soc:aot"
    target = json.loads(soc.target)
    assert target["executor"] == {
        "interface-api": "c",
        "kind": "aot",
        "unpacked-api": True,
    }
    assert target["runtime"] == {"kind": "crt"}
    assert json.loads(soc.version.lineage) == ["arm/soc@1.0.0", "micro/aot@1.0.0"]
    nano = resolving.resolve(Reference.parse("nvidia/jetson-nano:cuda"))
    assert json.loads(nano.target)["host"]["mcpu"] == "cortex-a57"
    cores = {"large": 1, "xlarge": 2, "2xlarge": 4, "4xlarge": 8, "8xlarge": 18}
    for size, physical in cores.items():
        target = json.loads(resolving.resolve(Reference.parse(f"aws/c4.{size}")).target)
        assert target["mcpu"] == "haswell"
        assert target["num-cores"] == physical


def test_tags_with_history_have_their_earlier_versions() -> None:
    numbers = {
        "apple/m1-gpu": ["1.0.0", "2.0.0", "3.0.0"],
        "nvidia/nvidia-a100": ["1.0.0", "2.0.0"],
        "riscv/sifive-u74": ["1.0.0", "2.0.0"],
        "aws/cpu/c5.12xlarge": ["1.0.0", "2.0.0", "3.0.0"],
    }
    for tag, expected in numbers.items():
        versions = Version.objects.filter(tag__text=tag).order_by("pk")
        assert [str(version.number) for version in versions] == expected, tag


def test_catalogue_account_cannot_sign_in() -> None:
    assert not User.objects.get(username=loading.ACCOUNT).has_usable_password()
