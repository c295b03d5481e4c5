"""The text of a lock: what is written is read back, and changes by hand are noticed."""

import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from ttag import FileError, LockedTarget, Tampered
from ttag.canonical_json import canonical, digest_of
from ttag.lock.content import LockContent
from ttag.lock.format import HEADER, parse, render
from ttag.lock.lock import Lock
from ttag.log.checkpoints import Tree
from ttag.log.history import KnownLog
from ttag.log.notes import Key
from ttag.resolution import LOCKED, Export, Resolution

PATH = Path("targets.lock")
FORMAT_1 = HEADER.format(1)
KEY = Key("registry.example.org/log", b"k" * 32)
LOG = KnownLog("https://registry.example.org", Tree(KEY.name, 7, b"r" * 32), KEY)
NAMES = st.from_regex(r"[a-z]{1,3}/[a-z]{1,3}(@1(\.0)?)?", fullmatch=True)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


def locked(
    reference: str,
    *,
    formats: dict[str, str] | None = None,
    dropped: dict[str, tuple[str, ...]] | None = None,
    cores: int = 4,
    event: int | None = None,
) -> LockedTarget:
    data = canonical({"kind": "llvm", "model": "it's", "num-cores": cores})
    resolution = Resolution(
        reference=reference,
        tag=reference.partition("@")[0],
        version="1.0.0",
        digest=digest_of(data),
        status=LOCKED,
        text=data.decode(),
        tuning_keys={"": "tk1:0", "/host": "tk1:1"},
        build_key="bk1:0",
        event=event,
    )
    exports = {
        form: Export(reference, form, text, (dropped or {}).get(form, ()))
        for form, text in (formats or {}).items()
    }
    return LockedTarget("https://registry.example.org", resolution, exports)


TARGETS = st.builds(
    lambda reference, formats, cores, event: locked(
        reference, formats=formats, cores=cores, event=event
    ),
    NAMES,
    st.dictionaries(st.sampled_from(["clang", "cmake", "tvm-string"]), TEXTS),
    st.integers(0, 9),
    st.none() | st.integers(1, 2**53),
)
LOGS = st.builds(
    lambda registry, size, root, key: KnownLog(registry, Tree(KEY.name, size, root), key),
    st.sampled_from(["https://a.example.org", "file:mirror", "https://b.example.org"]),
    st.integers(1, 2**53 - 1),
    st.binary(min_size=32, max_size=32),
    st.none() | st.just(KEY),
)


@given(
    st.lists(TARGETS, unique_by=lambda target: target.reference, max_size=4),
    st.lists(LOGS, unique_by=lambda log: log.registry, max_size=3),
)
def test_lock_is_read_back(targets: list[LockedTarget], logs: list[KnownLog]) -> None:
    content = parse(render(targets, logs), PATH)
    expected = {target.reference: target for target in targets}
    ordered = tuple(sorted(logs, key=lambda log: log.registry))
    assert content == LockContent(expected, {}, ordered)


def test_lock_is_of_the_format_2_only_if_it_holds_logs_or_events() -> None:
    assert render([locked("a/a")]).startswith(FORMAT_1)
    assert render([locked("a/a")], [LOG]).startswith(HEADER.format(2))
    assert render([locked("a/a"), locked("b/b", event=7)]).startswith(HEADER.format(2))


def test_log_is_written_for_people() -> None:
    text = render([], [LOG]).removeprefix(HEADER.format(2))
    assert text.splitlines()[:-1] == [
        "",
        "[[log]]",
        'registry = "https://registry.example.org"',
        'origin = "registry.example.org/log"',
        'key = "registry.example.org/log+4abec6d1+AWtra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tr"',
        "size = 7",
        'root = "cnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnI="',
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size = 7", "size = 6"),
        ('root = "cnJy', 'root = "bnJy'),
        ('registry = "https://r', 'registry = "https://s'),
        (f'key = "{KEY}"', 'key = ""'),
    ],
)
def test_log_edited_by_hand_is_noticed(tmp_path: Path, old: str, new: str) -> None:
    text = render([], [LOG])
    assert old in text
    (tmp_path / PATH).write_text(text.replace(old, new))
    with pytest.raises(Tampered, match=r"the log of https://.* cannot be trusted: .*checksum"):
        Lock.read(tmp_path / PATH)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("size = 7", "size = -1", "the size -1 is not from 0"),
        ("size = 7", "size = 9007199254740992", "is not from 0 to 9007199254740991"),
        ("size = 7", "size = 7.0", "needs a number 'size'"),
        ("size = 7", "size = true", "needs a number 'size'"),
        ("size = 7", "size = 0", "its root is not that of an empty tree"),
        ('root = "cnJy', 'root = "cnJycnJy', "'cnJ.*' is not base64|must have 32 bytes"),
        ('origin = "registry', 'origin = "a registry', "an origin must have no space"),
        ("+4abec6d1+", "+00000000+", "does not have the id 00000000, but 4abec6d1"),
        ("size = 7", "size = 7\nage = 1", "has 'age', which this ttag does not know"),
    ],
)
def test_log_of_another_shape_is_an_error(old: str, new: str, message: str) -> None:
    text = render([], [LOG])
    assert old in text
    with pytest.raises(FileError, match=message):
        parse(text.replace(old, new), PATH)


def test_repeated_log_is_an_error() -> None:
    text = render([], [LOG])
    twice = text + text.removeprefix(HEADER.format(2))
    with pytest.raises(FileError, match=r"holds the log of .* twice"):
        parse(twice, PATH)


@given(st.lists(TARGETS, unique_by=lambda target: target.reference, max_size=4))
def test_order_changes_nothing(targets: list[LockedTarget]) -> None:
    assert render(reversed(targets)) == render(targets)


def test_order_of_keys_and_formats_changes_nothing() -> None:
    one = locked("a/a", formats={"clang": "1", "cmake": "2"})
    other = locked("a/a", formats={"cmake": "2", "clang": "1"})
    assert render([one]) == render([other])


def test_losses_are_read_back() -> None:
    target = locked("a/a", formats={"clang": "x"}, dropped={"clang": ("/keys", "/num-cores")})
    assert parse(render([target]), PATH).targets["a/a"].exports["clang"].dropped == (
        "/keys",
        "/num-cores",
    )


def test_target_is_written_for_people() -> None:
    text = render([locked("a/a@1", formats={"clang": "-mcpu=x\n"}, dropped={"clang": ("/keys",)})])
    digest, checksum = re.findall(r"sha256:[0-9a-f]{64}", text)
    assert (
        text
        == f'''{FORMAT_1}
[[target]]
reference = "a/a@1"
registry = "https://registry.example.org"
tag = "a/a"
version = "1.0.0"
digest = "{digest}"
build_key = "bk1:0"
json = "{{\\"kind\\":\\"llvm\\",\\"model\\":\\"it's\\",\\"num-cores\\":4}}"
checksum = "{checksum}"
[target.tuning_keys]
"" = "tk1:0"
"/host" = "tk1:1"
[target.formats]
clang = """
-mcpu=x
"""
[target.dropped]
clang = ["/keys"]
'''
    )


def test_another_target_changes_only_its_own_lines() -> None:
    one, two, three = (
        render([locked(name)]).removeprefix(FORMAT_1) for name in ("a/a", "b/b", "c/c")
    )
    assert render([locked("a/a"), locked("c/c")]) == FORMAT_1 + one + three
    assert render(map(locked, ["a/a", "b/b", "c/c"])) == FORMAT_1 + one + two + three


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"num-cores\\":4', '"num-cores\\":8', "does not have the digest"),
        ('version = "1.0.0"', 'version = "1.1.0"', "does not have its checksum"),
        ('"tk1:0"', '"tk1:2"', "does not have its checksum"),
        ("-mcpu=x", "-mcpu=y", "does not have its checksum"),
        ('reference = "a/a"', 'reference = "a/b"', "does not have its checksum"),
    ],
)
def test_edit_by_hand_is_noticed(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = render([locked("a/a", formats={"clang": "-mcpu=x\n"})])
    assert text.replace(old, new) != text
    (tmp_path / PATH).write_text(text.replace(old, new))
    with pytest.raises(Tampered, match=rf"targets\.lock: a/[ab] cannot .* {fault}.*`ttag lock a/"):
        Lock.read(tmp_path / PATH)


@given(st.data())
def test_edit_of_any_character_is_noticed(data: st.DataObject) -> None:
    target = locked("a/a", formats={"clang": "-mcpu=x\n"}, dropped={"clang": ("/keys",)}, event=7)
    text = render([target], [LOG])
    place = data.draw(st.integers(len(FORMAT_1), len(text) - 1))
    character = data.draw(st.sampled_from("\"'\\\n#=[]{}0az ~é") | st.just(""))
    edited = text[:place] + character + text[place + 1 :]
    try:
        content = parse(edited, PATH)
    except FileError:
        return
    faults = {**content.faults, **content.log_faults}
    assert faults or (content.targets, content.logs) == ({"a/a": target}, (LOG,))


def test_edit_of_the_target_with_its_digest_is_noticed() -> None:
    text = render([locked("a/a")])
    edited = text.replace('"num-cores\\":4', '"num-cores\\":8')
    digest = digest_of(canonical({"kind": "llvm", "model": "it's", "num-cores": 8}))
    edited = re.sub('^digest = ".*"', f'digest = "{digest}"', edited, flags=re.MULTILINE)
    assert "checksum" in parse(edited, PATH).faults["a/a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version = 4\n", r"has the format 4, and this ttag knows 3\. Update ttag\."),
        (
            "<<<<<<< HEAD\nversion = 1\n>>>>>>> other\n",
            r"has merge conflicts\. `ttag lock` unites both",
        ),
        ("version = ", "is not TOML: .* Restore it from version control"),
        ("", "is not a lock: expected version = 1"),
        ('version = "1"', "is not a lock"),
        ("version = true", "is not a lock"),
        ("version = [2]", "is not a lock: .* Restore it from version control"),
        ("version = {}", "is not a lock"),
        ("version = 0", "is not a lock"),
        ("version = 1\nextra = 1", "is not a lock"),
        ("version = 1\n[[log]]\n", "is not a lock"),
        ("version = 2\nlog = 1\n", "is not a lock"),
        ("version = 2\n[[log]]\n", "a log needs a string 'registry'"),
        ("version = 1\n[[target]]\nevent = 1\n", "has an event, which the format 1 does not know"),
        ("version = 1\ntarget = 1", "is not a lock"),
        ("version = 1\ntarget = [1]", "is not a lock"),
        ("version = 1\n[[target]]\n", "a target without a reference needs a string 'reference'"),
    ],
)
def test_file_that_is_not_a_lock_is_an_error(text: str, message: str) -> None:
    with pytest.raises(FileError, match=f"^targets.lock:? {message}"):
        parse(text, PATH)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tag =", "flag = true\ntag =", "a/a has 'flag', which this ttag does not know"),
        ('tag = "a/a"', "tag = 1", "a/a needs a string 'tag'"),
        ('build_key = "bk1:0"', "build_key = 1", "a/a has a value that is not a string"),
        ('"/host" = "tk1:1"', '"/host" = 1', "a/a has a value that is not a string"),
        (
            '[target.tuning_keys]\n"" = "tk1:0"\n"/host" = "tk1:1"',
            "tuning_keys = 1",
            "tuning_keys of a/a must be a table",
        ),
        ('clang = ["/keys"]', "clang = [1]", "a/a has a value that is not a string"),
        ('clang = ["/keys"]', 'clang = "/keys"', "a/a has a value that is not a string"),
    ],
)
def test_target_of_another_shape_is_an_error(old: str, new: str, message: str) -> None:
    text = render([locked("a/a", formats={"clang": "x"}, dropped={"clang": ("/keys",)})])
    assert old in text
    with pytest.raises(FileError, match=message):
        parse(text.replace(old, new), PATH)


def test_repeated_reference_is_an_error() -> None:
    twice = render([locked("a/a"), locked("b/b")]).replace('reference = "b/b"', 'reference = "a/a"')
    with pytest.raises(FileError, match="holds a/a twice"):
        parse(twice, PATH)


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / PATH).write_bytes(b"\xff")
    with pytest.raises(FileError, match="is not UTF-8 text"):
        Lock.read(tmp_path / PATH)


def test_format_1_is_read_by_every_release() -> None:
    lock = Lock.read(Path(__file__).parent / "format-1.lock")
    assert lock.resolve("nvidia/jetson-nano:cuda@1").target["arch"] == "sm_53"
    assert lock.resolve("arm/soc:aot").exact == "arm/soc:aot@1.0.0"
    assert "-mcpu=cortex-m7" in lock.export("arm/soc:aot", "clang").text


def test_format_1_is_written_as_it_was() -> None:
    path = Path(__file__).parent / "format-1.lock"
    assert render(Lock.read(path).targets.values()) == path.read_text()


def test_newer_format_says_to_update(tmp_path: Path) -> None:
    newer = tmp_path / "targets.lock"
    newer.write_text("version = 4\n[anything]\n")
    with pytest.raises(FileError, match=r"has the format 4, and this ttag knows 3\. Update ttag"):
        Lock.read(newer)
