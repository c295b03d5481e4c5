"""An answer must belong to its question: the tag, version, digest and node that were asked for."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.registry.test_registry import RESOLUTION, TARGET
from tests.client.scripted_server import ScriptedServer, response
from ttag import Mirror, NotLocked, Registry, Resolution, Tampered, TtagError, Unreachable
from ttag.canonical_json import canonical, digest_of
from ttag.errors import ExitCode, attempt
from ttag.http.cache import Cache
from ttag.mirror.layout import digest_path, index_path

DIGEST = RESOLUTION["digest"]
OTHER: Any = {"kind": "llvm", "mcpu": "skylake"}
OTHER_DIGEST = digest_of(canonical(OTHER))
BOARD: dict[str, Any] = RESOLUTION | {"version": "1.2.3"}
NODE = BOARD | {"node": {"pointer": "/host"}}

Answer = dict[str, Any]
Ask = Callable[[str, Answer], Resolution | TtagError]


def answer(reference: str, **members: Any) -> Answer:
    return BOARD | {"reference": reference} | members


@pytest.fixture
def cached(server: ScriptedServer, tmp_path: Path) -> Registry:
    return Registry(server.address, timeout=5, cache=Cache(tmp_path / "cache"))


@pytest.fixture(params=["alone", "together", "cached"])
def ask(request: pytest.FixtureRequest, server: ScriptedServer, cached: Registry) -> Ask:
    """Return what resolves a reference of a registry, or of a cache, that sends this answer."""

    def alone(reference: str, sent: Answer) -> Resolution | TtagError:
        server.responses = [response(sent)]
        return attempt(cached.resolve, reference)

    def together(reference: str, sent: Answer) -> Resolution | TtagError:
        server.responses = [response({"results": [sent, answer("acme/other")]})]
        return cached.resolve_many([reference, "acme/other"])[0]

    def from_cache(reference: str, sent: Answer) -> Resolution | TtagError:
        url = f"{server.address}/api/v1/resolve/{reference}?format=json"
        assert cached.cache
        cached.cache.store(url, {"content-type": "application/json"}, canonical(sent))
        return attempt(replace(cached, offline=True).resolve, reference)

    return {"alone": alone, "together": together, "cached": from_cache}[request.param]


@pytest.mark.parametrize(
    "reference",
    [
        *("acme/board", "acme/board@1", "acme/board@1.2", "acme/board@1.2.3"),
        f"acme/board@{DIGEST}",
        *("acme/BOARD,old", "acme/BOARD,old@1", "acme/BOARD,old@1.2.3"),
        *("other/name:x", f"other/name:x@{DIGEST}"),
    ],
)
def test_answer_to_the_question_is_taken(ask: Ask, reference: str) -> None:
    resolution = ask(reference, answer(reference))
    assert isinstance(resolution, Resolution)
    assert resolution.exact == "acme/board@1.2.3"
    assert resolution.is_of_alias == (not reference.startswith("acme/board"))


@pytest.mark.parametrize(
    ("reference", "sent", "what"),
    [
        ("acme/board", answer("acme/card"), "an answer for 'acme/card'"),
        ("acme/board", answer("acme/board@1.2.3"), "an answer for 'acme/board@1.2.3'"),
        ("acme/board@1", answer("acme/board"), "an answer for 'acme/board'"),
        ("acme/board", answer("\x1b[2J"), r"an answer for '\x1b[2J'"),
        ("acme/board@2", answer("acme/board@2"), "acme/board@1.2.3 with"),
        ("acme/board@1.20", answer("acme/board@1.20"), "acme/board@1.2.3 with"),
        ("acme/board@1.2.30", answer("acme/board@1.2.30"), "acme/board@1.2.3 with"),
        ("acme/board@1.2.4", answer("acme/board@1.2.4"), "acme/board@1.2.3 with"),
        ("acme/board@1", answer("acme/board@1", version="10.0.0"), "acme/board@10.0.0 with"),
        ("other/name@2", answer("other/name@2"), "acme/board@1.2.3 with"),
        (f"acme/board@{OTHER_DIGEST}", answer(f"acme/board@{OTHER_DIGEST}"), f"digest {DIGEST}"),
        ("acme/board", NODE, "its node '/host'"),
        *(
            ("acme/board", answer("acme/board", version=version), "not a version of a tag")
            for version in ("", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3\n", "../../x", "v1.2.3")
        ),
        *(
            ("acme/board", answer("acme/board", tag=tag), "not a version of a tag")
            for tag in ("", "acme", "acme/board@1.2.3", "acme/../x", "ACME/board", "acme/b\nd")
        ),
    ],
)
def test_answer_to_another_question_is_refused(
    ask: Ask, reference: str, sent: Answer, what: str
) -> None:
    error = ask(reference, sent)
    assert isinstance(error, Tampered)
    message = str(error)
    assert f"was asked for {reference}, and sent " in message
    assert what in message
    assert message.isprintable()
    assert error.exit_code == ExitCode.TAMPERED


def test_swapped_answers_are_both_refused_and_not_kept(
    server: ScriptedServer, cached: Registry
) -> None:
    references = ["acme/board", "acme/card"]
    server.responses = [response({"results": [*map(answer, reversed(references))]})]
    assert [type(each) for each in cached.resolve_many(references)] == [Tampered, Tampered]
    for reference in references:
        with pytest.raises(NotLocked):
            replace(cached, offline=True).resolve(reference)


def test_refused_answer_is_not_kept(server: ScriptedServer, cached: Registry) -> None:
    lie = response(answer("acme/card"), Cache_Control="max-age=999999999")
    server.responses = [lie, response(answer("acme/board"))]
    with pytest.raises(Tampered):
        cached.resolve("acme/board")
    assert cached.resolve("acme/board").version == "1.2.3"


def test_cached_answer_that_does_not_belong_is_requested_again(
    server: ScriptedServer, cached: Registry
) -> None:
    url = f"{server.address}/api/v1/resolve/acme/board?format=json"
    assert cached.cache
    headers = {"content-type": "application/json"}
    cached.cache.store(url, headers, canonical(answer("acme/card")), max_age=10**8)
    server.responses = [response(answer("acme/board"))]
    assert cached.resolve("acme/board").version == "1.2.3"


@pytest.mark.parametrize(
    ("node", "sent", "what"),
    [
        ("/host", BOARD, "the whole target"),
        ("/host", BOARD | {"node": {"pointer": "/devices/0"}}, "its node '/devices/0'"),
        ("/host", BOARD | {"node": {"pointer": "/host\x1b"}}, r"its node '/host\x1b'"),
        ("/devices/0", NODE, "its node '/host'"),
    ],
)
def test_another_node_is_refused(
    server: ScriptedServer, cached: Registry, node: str, sent: Answer, what: str
) -> None:
    server.responses = [response(sent)]
    with pytest.raises(Tampered) as error:
        cached.resolve("acme/board", node=node)
    assert f"was asked for the node {node} of acme/board, and sent {what}." in str(error.value)


def test_node_by_digest_is_of_the_version_with_that_digest(
    server: ScriptedServer, cached: Registry
) -> None:
    target: Any = {**OTHER, "host": TARGET}
    reference = f"acme/board@{digest_of(canonical(target))}"
    whole = response(answer(reference, digest=reference.partition("@")[2], target=target))
    part = NODE | {"reference": reference}
    server.responses = [response(part), whole]
    assert cached.resolve(reference, node="/host").target == TARGET
    server.responses = [response(part | {"version": "1.2.4"}), whole]
    with pytest.raises(Tampered, match=r"is not the node of acme/board@1\.2\.3"):
        cached.resolve(reference, node="/host")


@pytest.mark.parametrize("selector", ["", "@1", "@1.2.3"])
def test_text_of_another_version_is_refused(
    server: ScriptedServer, cached: Registry, selector: str
) -> None:
    target: Any = {**TARGET, "mtriple": "x86_64-unknown-linux-gnu"}
    digest, reference = digest_of(canonical(target)), f"acme/board{selector}"
    resolution = response(answer(reference, target=target, digest=digest))

    def text(version: str, digest: str) -> bytes:
        headers = {"Target_Version": version, "Target_Digest": digest}
        flags = b"--target=x86_64-unknown-linux-gnu -march=haswell\n"
        return response(flags, 200, "text/plain", **headers)

    server.responses = [resolution, text("2.0.0", OTHER_DIGEST)]
    with pytest.raises(Tampered, match=r"was asked for acme/board@1\.2\.3, and sent version '2\."):
        cached.export(reference, "clang")
    server.responses = [resolution, text("1.2.3", digest)]
    assert cached.export(reference, "clang").tag == "acme/board"


@pytest.fixture
def mirror(tmp_path: Path) -> Callable[..., Mirror]:
    """Return a function that writes a mirror with an index under a name, and opens it."""

    def write(name: str, index: Any, target: Any = TARGET) -> Mirror:
        overview = {"version": 1, "registry": "", "created": "", "event": 1, "formats": []}
        files = {
            "mirror.json": overview | {"namespaces": ["acme"]},
            index_path(name): index,
            digest_path(DIGEST): target,
        }
        for path, document in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(canonical(document))
        return Mirror.open(tmp_path.as_uri())

    return write


def index_of(tag: str = "acme/board", **members: object) -> dict[str, Any]:
    left_out = ("reference", "tag", "target")
    version = {name: value for name, value in BOARD.items() if name not in left_out}
    version |= {"formats": {}, **members}
    return {"tag": tag, "aliases": [], "versions": [version]}


@pytest.mark.parametrize("selector", ["", "@1", "@1.2", "@1.2.3", f"@{DIGEST}"])
def test_mirror_answers_the_question(mirror: Callable[..., Mirror], selector: str) -> None:
    resolution = mirror("acme/board", index_of()).resolve(f"acme/board{selector}")
    assert (resolution.exact, resolution.target) == ("acme/board@1.2.3", TARGET)


@pytest.mark.parametrize(
    ("index", "error"),
    [
        (index_of("acme/card"), Unreachable),
        (index_of(version="01.2.3"), Unreachable),
        (index_of(version="1.2.3 "), Unreachable),
        (index_of(version="1_0.2.3"), Unreachable),
        (index_of(version="1.2.\u0663"), Unreachable),
        (index_of(version="-1.2.3"), Unreachable),
        (index_of(node={"pointer": "/host"}), Tampered),
        (index_of(digest=OTHER_DIGEST), Unreachable),
        ({"alias": "acme/card", "reference": "acme/board"}, Unreachable),
        ({"alias": "acme/board", "reference": "acme/board"}, Unreachable),
        ({"alias": "acme/board", "reference": "acme/../board"}, Unreachable),
    ],
)
def test_mirror_with_something_else_under_a_name_is_refused(
    mirror: Callable[..., Mirror], index: object, error: type[TtagError]
) -> None:
    with pytest.raises(error):
        mirror("acme/board", index).resolve("acme/board")


def test_mirror_with_another_target_under_a_digest_is_refused(
    mirror: Callable[..., Mirror],
) -> None:
    with pytest.raises(Tampered, match="does not have its digest"):
        mirror("acme/board", index_of(), OTHER).resolve("acme/board")
