"""`ttag.tvm` without TVM, with another version of it, and its records."""

import sys
from importlib import metadata
from types import ModuleType

import pytest

import ttag.tvm
from ttag.tvm.description import Description, Origin
from ttag.tvm.loading import load


def install(
    monkeypatch: pytest.MonkeyPatch, version: str | None, ffi: str | None = "0.1.14.post1"
) -> None:
    """Let `import tvm` find another version of TVM, or none, with a version of its FFI."""

    def version_of(package: str) -> str:
        if package != "apache-tvm-ffi" or ffi is None:
            raise metadata.PackageNotFoundError(package)
        return ffi

    monkeypatch.setattr(metadata, "version", version_of)
    module = None
    if version:
        module = ModuleType("tvm")
        module.__dict__["__version__"] = version
    monkeypatch.setitem(sys.modules, "tvm", module)


def test_missing_tvm_is_an_error_that_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch, None)
    with pytest.raises(ttag.tvm.TvmUnusable, match=r"cannot be imported .*'ttag\[tvm\]'"):
        load()


@pytest.mark.parametrize("version", ["0.26.0", "0.28.0", "0.270.0"])
def test_other_version_of_tvm_is_an_error(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    install(monkeypatch, version)
    with pytest.raises(ttag.tvm.TvmUnusable, match=f"This is TVM {version}, but ttag.tvm needs"):
        load()


@pytest.mark.parametrize("ffi", [None, "0.1.14", "0.1.14.post1", "0.1.150", "0.2.15", "0.1.1.15"])
@pytest.mark.parametrize("version", ["0.27.0", "0.27.0.post1", "0.27.3"])
def test_supported_version_is_loaded(
    monkeypatch: pytest.MonkeyPatch, version: str, ffi: str | None
) -> None:
    install(monkeypatch, version, ffi)
    assert load().__version__ == version


@pytest.mark.parametrize("ffi", ["0.1.15", "0.1.15.post1", "0.1.15+cu130", "0.1.15rc1"])
@pytest.mark.parametrize("module", ["tvm", "tvm.relax"])
def test_an_ffi_that_crashes_tvm_is_an_error_of_one_sentence(
    monkeypatch: pytest.MonkeyPatch, ffi: str, module: str
) -> None:
    install(monkeypatch, "0.27.0.post1", ffi)
    with pytest.raises(ttag.tvm.TvmUnusable) as error:
        load(module)
    assert str(error.value) == (
        f"TVM 0.27.0.post1 crashes when it saves a module as JSON with apache-tvm-ffi {ffi}: "
        "pip install 'ttag[tvm]'."
    )


@pytest.mark.parametrize("text", ["", "[]", '{"reference": "acme/edge@1.0.0"}', "{"])
def test_unreadable_record_is_an_error(text: str) -> None:
    with pytest.raises(ttag.tvm.RecordInvalid, match="annotate it again"):
        Description.from_text(text)


def test_recorded_description_is_read_back() -> None:
    description = Description(
        Origin("acme/edge@1.0.0#/host", f"sha256:{'0' * 64}"),
        {"kind": "llvm", "mattr": ["+avx2"]},
        {"": {"executor": {"kind": "vm"}}},
        {"tirx.disable_vectorize": True},
    )
    assert Description.from_text(description.as_text()) == description
