"""A registry behind nginx and Varnish as docs/operating has them: hit rate, and old answers.

    python -m benchmarks.shared_cache     eight minutes

Without purges, answers are kept for SHORT seconds; with them, for LONG. A wrong answer is one that
a cache gives after a write has been acknowledged; its age is counted from there.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from benchmarks.environments import find_programs, print_line
from tests.shared_caches import CACHES, KEPT, Site, site, stop

SHORT, LONG = 5, 3600  # seconds
ROUNDS = 10  # of each write
REQUESTS = 10_000
TAGS = 1000  # acme/board0 and so on; the tag of rank n is asked for with the weight 1 / n
PUBLICATIONS = 0.2  # seconds between two, during the requests
REST = 12  # seconds at most between two writes: in half of them, the worker has become idle
POLL = 0.005  # seconds between two looks at an answer
AWAY = 10  # seconds without the registry
MEASURED = {"nginx": [False], "Varnish": [False, True]}  # which caches are purged


def main() -> None:
    """Measure each cache, without purges and with them."""
    find_programs(nginx="nginx", varnishd="varnish varnish-modules")
    _print("cache", "kept for", "purged", "hit rate", "requests/s", "publish", "yank", "away")
    for name in CACHES:
        for is_purged in MEASURED[name]:
            seconds = LONG if is_purged else SHORT
            with (
                TemporaryDirectory() as var,
                site(Path(var), name, seconds=seconds, is_purged=is_purged) as running,
            ):
                _print(
                    name, f"{seconds} s", "yes" if is_purged else "no", *_figures(running, seconds)
                )


def _print(*cells: str) -> None:
    print_line(" ".join(f"{cell:<10}" for cell in cells))


def _figures(running: Site, seconds: int) -> list[str]:
    """Return the figures of one cache."""
    for number in range(TAGS):
        running.publish(f"acme/board{number}", number + 1)
    start = time.monotonic()
    hits = _hit_rate(running)
    rate = REQUESTS / (time.monotonic() - start)
    published = [_age_after_publication(running, number) for number in range(ROUNDS)]
    yanked = [_age_after_yank(running, number) for number in range(ROUNDS)]
    answered = _share_without_registry(running, seconds)
    ages = [f"{max(ages):.2f} s" for ages in (published, yanked)]
    return [f"{hits:.3f}", f"{rate:.0f}", *ages, f"{answered:.3f}"]


def _hit_rate(running: Site) -> float:
    """Return the share of answers that were kept, with publications of one tag in between."""
    generator = random.Random(1)  # noqa: S311 - a stated selection
    weights = [*accumulate(1 / rank for rank in range(1, TAGS + 1))]
    chosen = generator.choices(range(TAGS), cum_weights=weights, k=REQUESTS)
    with _publisher(running):
        results = Counter(running.get(_path(f"acme/board{number}")).cache for number in chosen)
    return sum(results[result] for result in KEPT) / REQUESTS


@contextmanager
def _publisher(running: Site) -> Iterator[None]:
    """Publish a version of a tag of its own every now and then."""
    is_over = Event()

    def publish() -> None:
        number = 1
        running.publish("acme/busy", 1)
        while not is_over.wait(PUBLICATIONS):
            number += 1
            running.publish("acme/busy", number, after=f"{number - 1}.0.0")

    thread = Thread(target=publish)
    thread.start()
    yield
    is_over.set()
    thread.join()


def _age_after_publication(running: Site, number: int) -> float:
    tag = f"acme/published{number}"
    running.publish(tag, 2)
    return _age(running, tag, lambda: running.publish(tag, 4, after="1.0.0"))


def _age_after_yank(running: Site, number: int) -> float:
    tag = f"acme/yanked{number}"
    running.publish(tag, 2)
    running.publish(tag, 4, after="1.0.0")
    return _age(running, tag, lambda: running.yank(f"{tag}@2.0.0"))


def _age(running: Site, tag: str, write: Callable[[], None]) -> float:
    """Return how long after a write a tag's old version was still given, in seconds."""
    time.sleep(random.uniform(0, REST))  # noqa: S311 - the worker is idle, or is not
    old = running.kept(_path(tag)).version
    write()
    start, last = time.monotonic(), 0.0
    while running.get(_path(tag)).version == old:
        last = time.monotonic() - start
        time.sleep(POLL)
    return last


def _share_without_registry(running: Site, seconds: int) -> float:
    """Return the share of answers without the registry, to what had been asked for before."""
    paths = [_path(f"acme/board{number}") for number in range(100)]
    for path in paths:
        running.get(path)
    stop(running.server)
    time.sleep(min(seconds, SHORT) + 1)  # without purges, all that is kept is too old now
    statuses: Counter[int] = Counter()
    end = time.monotonic() + AWAY
    while time.monotonic() < end:
        statuses.update(running.get(path).status for path in paths)
    return statuses[200] / statuses.total()


def _path(tag: str) -> str:
    return f"/api/v1/resolve/{tag}"


if __name__ == "__main__":
    main()
