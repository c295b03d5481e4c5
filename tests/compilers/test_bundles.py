"""`ttag inspect` reads the bundles that clang-offload-bundler writes."""

import subprocess
from pathlib import Path

import pytest

from tests.client.inspect.elf_headers import compressed
from tests.compilers import tools
from ttag.inspect import bundles
from ttag.inspect.bundles import NotRead, bundled

NAMES = ["host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+"]
DEVICE = NAMES[1]
PARTS = {NAMES[0]: b"host", DEVICE: bytes(50_000)}


def bundler() -> str:
    return tools.tool("clang-offload-bundler-22", "clang-offload-bundler")


@pytest.fixture
def parts(tmp_path: Path) -> list[str]:
    """The options of the bundler that name a file for each part."""
    for index, content in enumerate(PARTS.values()):
        (tmp_path / f"{index}.o").write_bytes(content)
    return [f"-input={tmp_path / f'{index}.o'}" for index in range(len(PARTS))]


def write_bundle(folder: Path, parts: list[str], *options: str, version: int = 3) -> bytes:
    path = folder / "bundle"
    command = [bundler(), "-type=bc", f"-targets={','.join(NAMES)}", *parts, *options]
    subprocess.run(
        [*command, f"-output={path}"],
        check=True,
        env={"COMPRESSED_BUNDLE_FORMAT_VERSION": str(version)},
    )
    return path.read_bytes()


def has_zstd() -> bool:
    return bundles._zstd_decompressor() is not None


def test_bundles_of_clang_are_read(tmp_path: Path, parts: list[str]) -> None:
    content = write_bundle(tmp_path, parts)
    assert list(bundled(content + bytes(100) + content, "a")) == [*NAMES, *NAMES]


@pytest.mark.parametrize("version", [2, 3])
def test_compressed_bundles_of_clang_are_read_or_noted(
    tmp_path: Path, parts: list[str], version: int
) -> None:
    section = write_bundle(tmp_path, parts, "-compress", version=version)
    assert section[4] == version
    first = list(bundled(section + bytes(50) + section, "a"))
    if section[6] == bundles.Method.ZLIB or has_zstd():
        assert first == [*NAMES, *NAMES]
    else:
        assert all(isinstance(each, NotRead) for each in first)
        assert len(first) == 2


@pytest.mark.parametrize("version", [1, 2, 3])
def test_clang_unpacks_what_tests_compress_by_zlib(
    tmp_path: Path, parts: list[str], version: int
) -> None:
    section = compressed(write_bundle(tmp_path, parts), version)
    assert list(bundled(section, "a")) == NAMES
    (tmp_path / "packed").write_bytes(section)
    command = [bundler(), "-unbundle", "-type=bc", f"-targets={DEVICE}"]
    paths = [f"-input={tmp_path / 'packed'}", f"-output={tmp_path / 'code'}"]
    subprocess.run([*command, *paths], check=True)
    assert (tmp_path / "code").read_bytes() == PARTS[DEVICE]
