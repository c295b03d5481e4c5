"""Prepare a registry with the catalogue for browser tests: add further tags.

REGISTRY_VAR=folder DJANGO_SETTINGS_MODULE=registry.settings python -m tests.web.browser.seed
"""

import json
from typing import Any

import django

from tests.web.browser import admin_seed

LONG = f"stage/{'a-very-long-name-' * 6}of-120-characters"
BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}
DEPENDENTS = 105  # of crowd/leader: more than one request rebases
GIB = 1 << 30
CARDS: dict[str, dict[str, Any]] = {  # with and without 24 GiB
    "small": {"memory_bytes": 16 * GIB, "power_watts": 150},
    "card": {"memory_bytes": 24 * GIB, "power_watts": 300},
    "wide-card": {"memory_bytes": 48 * GIB, "power_watts": 350},
    "unknown-card": {},
}
LARGE = {
    "kind": "composite",
    "devices": {f"device{index}": BOARD | {"num-cores": index + 1} for index in range(200)},
}


def main() -> None:
    """Publish further tags."""
    django.setup()

    from registry.services.catalogue import loading  # noqa: PLC0415
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.namespaces import namespaces  # noqa: PLC0415 - after the setup

    for name in ("stage", "crowd"):
        namespaces.create_namespace(name, actor=Actor.operator(loading.catalogue_account()))
    publish_more()
    count_resolves()
    admin_seed.prepare()
    tell_news()


def tell_news() -> None:
    """Read all events, as the worker does, so that the administrator has news."""
    from registry.services.notices import reader  # noqa: PLC0415 - after the setup
    from registry.services.webhooks import events  # noqa: PLC0415

    for read in (reader.read_events, events.read_events):
        while read():
            pass


def count_resolves() -> None:
    """Count requests, so that pages have charts."""
    from registry.services.core import usage  # noqa: PLC0415

    usage.count("nvidia/jetson-nano:cuda", 1_234)
    usage.count("example/two-machines")
    usage.flush()


def publish_more() -> None:
    """Publish tags that the catalogue lacks: long, large, deprecated, yanked and outdated ones."""
    from registry.domain.reference import Reference, Tag  # noqa: PLC0415
    from registry.services.catalogue import loading  # noqa: PLC0415
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.tags import deprecation  # noqa: PLC0415
    from registry.services.versions import yanking  # noqa: PLC0415
    from registry.services.versions.publishing import publish  # noqa: PLC0415
    from ttag_rules.version_number import VersionNumber  # noqa: PLC0415

    actor = Actor.operator(loading.catalogue_account())

    def publish_body(tag: str, body: Any, expected: VersionNumber | None = None) -> VersionNumber:
        name, source = Tag.parse(tag), json.dumps(body)
        version = publish(name, source, message="Staged", actor=actor, expected=expected)
        return version.number

    publish_body(LONG, BOARD)
    publish_body("stage/large", LARGE)
    first = publish_body("stage/board", BOARD)
    publish_body("stage/board", BOARD | {"num-cores": 2}, first)
    publish_body("stage/gone", BOARD)
    parent = publish_body("stage/parent", BOARD | {"num-cores": 11})
    publish_body("stage/follower", {"tag": "stage/parent", "mcpu": "znver2"})
    publish_body("stage/parent", BOARD | {"num-cores": 12}, parent)  # makes its follower outdated
    for name, facts in CARDS.items():
        hardware = {"category": "gpu", "vendor": "Acme", "model": f"Stage {name}", **facts}
        publish_body(f"stage/{name}", {"kind": "cuda", "arch": "sm_86", "hardware": hardware})
    publish_body("crowd/leader", BOARD)
    for index in range(DEPENDENTS):
        publish_body(f"crowd/led-{index}", {"tag": "crowd/leader", "model": f"led-{index}"})
    yanking.yank(Reference.parse("stage/board@1.0.0"), reason="wrong cores", actor=actor)
    yanking.yank(Reference.parse("stage/gone@1.0.0"), reason="never existed", actor=actor)
    deprecation.deprecate(
        Tag.parse(LONG),
        reason="too long",
        successor=Tag.parse("stage/board"),
        actor=actor,
    )


if __name__ == "__main__":
    main()
