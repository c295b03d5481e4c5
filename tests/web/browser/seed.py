"""Prepare the registry that the browser looks at: the catalogue, and what it has none of.

REGISTRY_VAR=folder DJANGO_SETTINGS_MODULE=registry.settings python -m tests.web.browser.seed
"""

import json
import os
from pathlib import Path
from typing import Any

import django

from tests.databases import FILE, copy_sqlite
from tests.web.browser import admin_seed

LONG = f"stage/{'a-very-long-name-' * 6}of-120-characters"
BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}
CROWD = 105  # made from crowd/leader: more than are rebased in one request
LARGE = {
    "kind": "composite",
    "devices": {f"device{at}": BOARD | {"num-cores": at + 1} for at in range(200)},
}


def main() -> None:
    """Publish what the catalogue does not hold."""
    copy_sqlite(Path(os.environ["REGISTRY_VAR"]) / FILE, loaded=True)
    django.setup()

    from registry.services.catalogue import loading  # noqa: PLC0415
    from registry.services.core.permissions import Actor  # noqa: PLC0415 - after the setup
    from registry.services.namespaces import namespaces  # noqa: PLC0415 - after the setup

    for name in ("stage", "crowd"):
        namespaces.create_namespace(name, actor=Actor.operator(loading.catalogue_account()))
    publish_more()
    admin_seed.prepare()


def publish_more() -> None:
    """A long name, a large target, a tag deprecated, a version yanked, a whole tag withdrawn."""
    from registry.domain.reference import Reference, Tag  # noqa: PLC0415
    from registry.domain.version_number import VersionNumber  # noqa: PLC0415
    from registry.services.catalogue import loading  # noqa: PLC0415
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.tags import deprecation  # noqa: PLC0415
    from registry.services.versions import yanking  # noqa: PLC0415
    from registry.services.versions.publishing import publish  # noqa: PLC0415

    actor = Actor.operator(loading.catalogue_account())

    def put(tag: str, body: Any, expected: VersionNumber | None = None) -> VersionNumber:
        name, source = Tag.parse(tag), json.dumps(body)
        made = publish(name, source, message="Staged", actor=actor, expected=expected)
        return made.number

    put(LONG, BOARD)
    put("stage/large", LARGE)
    first = put("stage/board", BOARD)
    put("stage/board", BOARD | {"num-cores": 2}, first)
    put("stage/gone", BOARD)
    parent = put("stage/parent", BOARD | {"num-cores": 11})
    put("stage/follower", {"tag": "stage/parent", "mcpu": "znver2"})
    put("stage/parent", BOARD | {"num-cores": 12}, parent)  # its follower is outdated
    put("crowd/leader", BOARD)
    for at in range(CROWD):
        put(f"crowd/led-{at}", {"tag": "crowd/leader", "model": f"led-{at}"})
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
