"""Processor time of pages and API routes on the largest inputs, without and with the memory cache.

    python -m benchmarks.pages              about five minutes
    python -m benchmarks.pages --all        also lists those under the limit

The requests run in this process, on SQLite, one at a time. The first of each finds an empty memory
cache; the second is answered as all later ones.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from urllib.parse import urlencode

from benchmarks.environments import print_line, run_manage, sqlite

LIMIT = 0.3  # seconds
SECTIONS = (
    *("tags", "resolved", "composition", "lineage", "used-by", "hardware", "versions"),
    *("source", "formats"),
)
RESOURCES = ("resolve", "explain", "lineage", "dependents", "versions", "tags")
OTHERS = (
    *("/kinds/largest", "/kinds/largest?option=option-7", "/kinds/llvm", "/kinds/flow", "/kinds/"),
    *("/api/v1/kinds", "/api/v1/kinds/largest", "/api/v1/kinds/body", "/", "/tags/"),
    *("/?q=nodes", "/events"),
    *("/feed.atom", "/namespaces/acme.atom", "/sitemap.xml", "/sitemaps/tags-1.xml"),
    *("/api/v1/tags?where=num-cores>=1&where=keys=cpu", "/api/v1/tags?where=a.aaa=1"),
    *("/api/v1/events", "/api/v1/openapi.json", "/api/v1/docs"),
)


def main() -> None:
    """Publish the largest inputs into an empty registry, and measure every route."""
    with sqlite() as environment:
        run_manage(environment, "load_catalogue")
        run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
        os.environ.update(environment, DJANGO_SETTINGS_MODULE="registry.settings")
        import django  # noqa: PLC0415 - needs a database

        django.setup()
        _publish()
        _measure()


def _publish() -> None:
    from tests import largest  # noqa: PLC0415 - after django.setup()
    from tests.people import make_acme, make_alice  # noqa: PLC0415

    alice = make_alice()
    alice.is_staff = True
    alice.save()
    make_acme()
    for shape, publish in largest.SHAPES.items():
        start = time.process_time()
        for value in (1, 2):
            publish(f"acme/{shape}", value)
        print_line(f"  published {shape:20}{time.process_time() - start:6.2f} s for two versions")
    largest.publish_largest_kind()


def _measure() -> None:
    import logging  # noqa: PLC0415

    from django.conf import settings  # noqa: PLC0415 - after django.setup()
    from django.test import Client  # noqa: PLC0415

    from registry.services.core.memory_cache import cache  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    settings.ALLOWED_HOSTS = ["*"]
    client, count, slow = Client(), 0, 0
    for path in ("/tags/arm/soc", "/diff/arm/soc...arm/soc:aot", "/kinds/c", "/compare"):
        client.get(path)  # compiles templates and schemas, and reads the names that LLVM knows
    for path in _paths():
        cache.clear()
        seconds = []
        for _ in range(2):
            start = time.process_time()
            response = client.get(path)
            size = len(response.content)
            seconds.append(time.process_time() - start)
        count += 1
        slow += seconds[1] > LIMIT
        if max(seconds) > LIMIT or "--all" in sys.argv:
            print_line(f"  {seconds[0]:6.2f} s {seconds[1]:6.2f} s {size:10,} bytes  {path[:90]}")
    print_line(f"  {count} paths, {slow} above {LIMIT} s on the second request")


def _paths() -> Iterator[str]:
    from registry.models import Version  # noqa: PLC0415
    from registry.services.versions.exporting import EXPORT_FORMATS  # noqa: PLC0415
    from tests.largest import SHAPES  # noqa: PLC0415
    from ttag_rules.nodes import nodes  # noqa: PLC0415 - after django.setup()

    for shape in SHAPES:
        tag = f"acme/{shape}"
        old, new = Version.objects.filter(tag__text=tag).select_related("tag").order_by("pk")
        pointers = [node.pointer for node in nodes(json.loads(new.target)) if node.kind]
        node = urlencode({"node": pointers[-1] if pointers else ""})
        yield from (f"/{section}/{tag}" for section in SECTIONS)
        yield from (f"/{section}/{tag}?{node}" for section in ("resolved", "formats"))
        yield from (f"/api/v1/{resource}/{tag}" for resource in RESOURCES)
        for form in EXPORT_FORMATS:
            yield f"/api/v1/resolve/{tag}?format={form}"
            yield f"/api/v1/resolve/{tag}?format={form}&{node}"
        other = "acme/nodes" if shape != "nodes" else "acme/settings"
        for prefix in ("/diff", "/api/v1/diff"):
            yield f"{prefix}/{old.exact}...{new.exact}"
            yield f"{prefix}/{tag}...{other}"
        yield f"/compare?tag={tag}"
        yield f"/compare?{urlencode([('tag', old.exact), ('tag', new.exact)])}"
        yield f"/submit?tag={tag}"
    names = [f"acme/{shape}" for shape in SHAPES]
    for five in (names[:5], names[2:7]):
        tags = [("tag", name) for name in five]
        yield f"/compare?{urlencode(tags)}"
        yield f"/compare?{urlencode([*tags, ('only', 'differences')])}"
    yield from OTHERS


if __name__ == "__main__":
    main()
