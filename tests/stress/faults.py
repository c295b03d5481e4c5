"""The faults: each is a function that injects one and returns when its cause is gone."""

import json
import signal
import time
from collections.abc import Callable

from tests.stress import slow_clients
from tests.stress.clients import new_target
from tests.stress.databases import Database, Postgresql, Sqlite
from tests.stress.digests import digest_of
from tests.stress.disk import Disk
from tests.stress.records import Action
from tests.stress.server import send_signal
from tests.stress.site import Site

LOCK_INTERVAL = 0.5  # seconds between two attempts to take the lock from outside
LOCK_WATCH = 15  # seconds after a release; the server once kept the lock for 10 to 14
STALL = 5  # seconds that an outside process may be locked out after a release


def rest(_site: Site) -> None:
    time.sleep(5)


def kill_worker(site: Site) -> None:
    send_signal(site.rng.choice(site.server.workers), signal.SIGKILL)
    time.sleep(2)


def kill_server(site: Site) -> None:
    site.server.kill()
    time.sleep(site.rng.uniform(0, 1))
    site.server.start()


def stop_worker(site: Site) -> None:
    worker = site.rng.choice(site.server.workers)
    send_signal(worker, signal.SIGSTOP)
    try:
        time.sleep(site.rng.uniform(2, 5))
    finally:
        send_signal(worker, signal.SIGCONT)


def hold_lock(site: Site) -> None:
    """Hold the write lock from outside, then measure how long the server keeps it."""
    with site.database.held_lock():
        time.sleep(site.rng.uniform(5, 10))
    released = obtained = time.monotonic()
    longest = 0.0
    while time.monotonic() < released + LOCK_WATCH:
        time.sleep(LOCK_INTERVAL)
        if site.database.try_lock():
            obtained = time.monotonic()
        longest = max(longest, time.monotonic() - obtained)
    site.lockouts.append(longest)
    if longest > STALL:
        site.report(f"an outside process was locked out for {longest:.1f} s after a release")


def fill_disk(site: Site) -> None:
    if site.disk is None:
        raise ValueError("no disk of its own")
    site.disk.fill()
    refused, statuses = 0, set()
    try:
        for _ in range(5):
            time.sleep(1)
            refused += not site.publish("stress/full")
            statuses.add(site.server.status("/readyz"))
        if refused > 1 and statuses == {200}:
            site.report("/readyz is 200 as long as the disk is full")
    finally:
        site.disk.release()
        if isinstance(site.database, Postgresql):
            site.database.revive()


def hold_connections(site: Site) -> None:
    """Keep tens to hundreds of slow connections of all kinds."""
    count = site.rng.choice([50, 300, 1000])
    kinds = site.rng.choices(list(slow_clients.OPENINGS), k=count)
    slow_clients.hold_sockets(site.server.port, kinds, site.rng.uniform(5, 8))


def open_idle_connections(site: Site) -> None:
    slow_clients.hold_sockets(site.server.port, ["idle"] * 1500, 5)


def vanish(site: Site) -> None:
    """Send publications from clients that do not wait for the response."""
    for _ in range(40):
        site.count += 1
        target = new_target(site.rng, f"vanished-{site.count}")
        tag = f"stress/vanished-{site.count}"
        attempt = site.writer.start(Action.PUBLISH, tag, digest_of(target))
        body = json.dumps({"target": target, "message": attempt.id})
        head = [
            f"POST /api/v1/versions/{tag} HTTP/1.1",
            f"Host: localhost\r\nAuthorization: Bearer {site.token}",
            f"If-None-Match: *\r\nContent-Type: application/json\r\nContent-Length: {len(body)}",
        ]
        slow_clients.vanish(site.server.port, "\r\n".join([*head, "", body]).encode(), site.rng)


def send_broken_requests(site: Site) -> None:
    for name, request in slow_clients.BROKEN.items():
        status = slow_clients.status_of_broken(site.server.port, request)
        if status == 200 or status >= 500:
            site.report(f"{name}: {status}")


def restart_database(site: Site) -> None:
    _postgresql(site).restart()


def kill_database(site: Site) -> None:
    _postgresql(site).kill()


def pause_database(site: Site) -> None:
    with _postgresql(site).paused():
        time.sleep(site.rng.uniform(2, 12))


def exhaust_connections(site: Site) -> None:
    with _postgresql(site).exhausted_connections():
        time.sleep(site.rng.uniform(3, 6))


def _postgresql(site: Site) -> Postgresql:
    if not isinstance(site.database, Postgresql):
        raise TypeError("SQLite is no server")
    return site.database


FAULTS: dict[str, Callable[[Site], None]] = {
    "none": rest,
    "worker killed": kill_worker,
    "server killed": kill_server,
    "worker stopped": stop_worker,
    "write lock held": hold_lock,
    "disk full": fill_disk,
    "slow clients": hold_connections,
    "idle connections": open_idle_connections,
    "clients vanish": vanish,
    "broken requests": send_broken_requests,
    "database restarted": restart_database,
    "database killed": kill_database,
    "database paused": pause_database,
    "connections exhausted": exhaust_connections,
}
ONLY_POSTGRESQL = {
    *("database restarted", "database killed", "database paused", "connections exhausted"),
}


def possible_faults(database: Database, disk: Disk | None) -> list[str]:
    """Return the names of the faults that can be injected here."""
    return [
        name
        for name in FAULTS
        if not (isinstance(database, Sqlite) and name in ONLY_POSTGRESQL)
        and (disk or name != "disk full")
    ]
