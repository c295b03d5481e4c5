"""Logs of the registry and proofs of the client, checked by Go's packages for transparency logs.

`tlog/main.go` hands them to `golang.org/x/mod/sumdb/tlog` and `note`, of Debian's package
golang-golang-x-mod-dev. None of that code is ours.
"""

import json
import os
import random
import subprocess
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from registry.domain.event_log.merkle import CompactRange
from tests import vectors
from tests.client.log.ledger import Ledger
from tests.compilers.tools import tool
from tests.serving import run_server
from ttag import Registry
from ttag.log import proofs
from ttag.log.files import Files, LogReader
from ttag.log.history import History
from ttag.log.tiles import ENTRIES, Tile, tiles_of
from ttag.log.tree import leaf_hash

pytestmark = [pytest.mark.thorough, pytest.mark.any_database]
GOPATH = Path("/usr/share/gocode")
SIZES = (1, 2, 3, 255, 256, 257, 511, 512, 513, 700)

Case = dict[str, Any]
Check = Callable[[Case], str]


@pytest.fixture(scope="module")
def go_checks(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Return what checks a case, and says "ok" or what does not hold. Skips without Go."""
    if not (GOPATH / "src/golang.org/x/mod/sumdb/tlog").is_dir():
        pytest.skip("not installed: golang-golang-x-mod-dev")
    folder = tmp_path_factory.mktemp("go")
    program = folder / "tlog"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GOPATH": str(GOPATH),
        "GOCACHE": str(folder / "cache"),
        "GO111MODULE": "off",  # packages of Debian are found by GOPATH; nothing is downloaded
        "GOFLAGS": "",
    }
    source = Path(__file__).parent / "tlog" / "main.go"
    subprocess.run([tool("go"), "build", "-o", program, source], check=True, env=environment)

    def check(case: Case) -> str:
        text = json.dumps(case)
        done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
        return done.stdout.strip() + done.stderr

    return check


def texts(hashes: Sequence[bytes]) -> list[str]:
    return [b64encode(each).decode() for each in hashes]


def roots(leaves: Sequence[bytes]) -> list[bytes]:
    """Return the root of each size from 0, by the registry's code."""
    grown = CompactRange()
    found = [grown.root]
    for leaf in leaves:
        grown = grown.extend([leaf_hash(leaf)])
        found.append(grown.root)
    return found


def proofs_of(reader: LogReader, size: int, places: Sequence[int]) -> Case:
    """Return the client's proofs for some places of a log, and as many that prove nothing."""
    inclusion, consistency = [], []
    read = partial(_node, reader, size)
    for place in places:
        proof = proofs.inclusion_proof(place, size, read)
        grown = proofs.consistency_proof(place + 1, size, read)
        for is_valid in (True, False):
            inclusion.append({"index": place, "size": size, **_proof(proof, is_valid=is_valid)})
            consistency.append({"old": place + 1, "size": size, **_proof(grown, is_valid=is_valid)})
    return {"inclusion": inclusion, "consistency": consistency}


def _node(reader: LogReader, size: int, height: int, index: int) -> bytes:
    return reader.node(height, index, size)


def _proof(hashes: Sequence[bytes], *, is_valid: bool) -> Case:
    """Return a proof; one that is not valid has another hash at its end."""
    changed = hashes if is_valid else [*hashes[:-1], bytes(32)]
    return {"hashes": texts(changed), "valid": is_valid}


def tiles_case(files: Files, size: int) -> list[Case]:
    """Return the tiles of a log as its files hold them."""
    return [
        {
            "level": tile.level,
            "index": tile.index,
            "width": tile.width,
            "path": tile.path,
            "data": b64encode(files.read(tile.path) or b"").decode(),
        }
        for tile in tiles_of(size)
    ]


@dataclass(frozen=True)
class LedgerFiles:
    """The files of a log that is made for a test."""

    ledger: Ledger

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        return self.ledger.file(path)

    def without_cache(self) -> None:
        """There is no cache."""


@pytest.mark.parametrize("size", SIZES)
def test_go_agrees_with_roots_proofs_and_tiles(go_checks: Check, size: int) -> None:
    chance = random.Random(size)  # noqa: S311 - places to test are no secret
    leaves = [chance.randbytes(chance.randrange(300)) for _ in range(size)]
    files = LedgerFiles(Ledger(leaves=leaves))
    places = sorted({0, size - 1, *(chance.randrange(size) for _ in range(40))})
    case = {
        "leaves": texts(leaves),
        "roots": texts(roots(leaves)),
        "tiles": tiles_case(files, size),
        **proofs_of(LogReader("a test", files), size, places),
    }
    assert go_checks(case) == "ok"


def test_go_agrees_with_the_log_of_a_registry(go_checks: Check, tmp_path: Path) -> None:
    with run_server(tmp_path, loaded=True) as server:
        reader = Registry(f"http://127.0.0.1:{server.port}").open_log()
        history = History.open(reader)
        assert history is not None
        size, key = history.tree.size, str(history.keys.newest)
        assert size > 512  # so that it has full tiles, and partial ones of two levels
        leaves = [leaf for tile in bundles_of(size) for leaf in reader.bundle(tile)]
        expected = roots(leaves)
        assert expected[size] == history.tree.root
        note = history.checkpoint.data.decode()
        case = {
            "leaves": texts(leaves),
            "roots": texts(expected),
            "tiles": tiles_case(reader.files, size),
            "notes": [
                {"key": key, "note": note, "text": history.checkpoint.note.text, "valid": True},
                {"key": key, "note": note.replace(f"\n{size}\n", f"\n{size - 1}\n")},
            ],
            **proofs_of(reader, size, range(0, size, 7)),
        }
    assert go_checks(case) == "ok"


def bundles_of(size: int) -> list[Tile]:
    return [replace(tile, level=ENTRIES) for tile in tiles_of(size) if tile.level == 0]


def test_go_agrees_with_the_vectors(go_checks: Check) -> None:
    log = vectors.log()
    tree, key = log["tree"], log["checkpoint"]["key"]
    accepted = [log["checkpoint"], *log["published_elsewhere"]["notes"]]
    case = {
        "leaves": texts([leaf.encode() for leaf in tree["leaves"]]),
        "roots": tree["roots"],
        "inclusion": [{"valid": True, **proof} for proof in tree["inclusion"]],
        "consistency": [
            {"old": proof["old"], "size": proof["new"], "hashes": proof["proof"], "valid": True}
            for proof in tree["consistency"]
        ],
        "notes": [
            *(
                {**each, "text": each["note"].partition("\n\n")[0] + "\n", "valid": True}
                for each in accepted
            ),
            *({"key": key, "note": each["note"]} for each in log["unsigned_checkpoints"]),
        ],
    }
    for proof in case["inclusion"]:
        proof["hashes"] = proof.pop("proof")
    assert go_checks(case) == "ok"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"roots": texts(roots([b"a", b"b", b"d"]))}, "root of 3"),
        ({"inclusion": [{"index": 0, "size": 3, "hashes": [], "valid": True}]}, "inclusion of 0"),
        ({"consistency": [{"old": 1, "size": 3, "hashes": [], "valid": True}]}, "consistency of 1"),
        ({"tiles": [{"level": 0, "index": 0, "width": 3, "path": "tile/0/000.p/3"}]}, "differs"),
        (
            {"tiles": [{"level": 0, "index": 0, "width": 3, "path": "tile/0/000"}]},
            "path tile/0/000",
        ),
        ({"notes": [{"key": "", "note": "", "valid": True}]}, "note"),
    ],
)
def test_go_says_what_does_not_hold(go_checks: Check, changed: Case, message: str) -> None:
    leaves = [b"a", b"b", b"c"]
    case = {"leaves": texts(leaves), "roots": texts(roots(leaves))}
    assert go_checks(case) == "ok"
    assert message in go_checks(case | changed)
