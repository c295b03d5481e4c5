"""Conditions on attributes select tags, whether or not one of them leads the query."""

import pytest

from registry.domain.errors import Code, Refused, echo
from registry.services.search import filters
from tests.people import make_acme
from tests.publishing import publish
from tests.services.search.searches import search, tags

pytestmark = pytest.mark.usefixtures("two_tags", "db")


@pytest.fixture(scope="module")
def two_tags(module_transaction: None) -> None:
    make_acme()
    publish(
        "acme/big",
        {
            "kind": "llvm",
            "mtriple": "x86_64-pc-linux-muslx32",
            "mcpu": "znver4",
            "mattr": ["+avx2", "+fma"],
            "num-cores": 8,
            "flow": {"tir.disable_vectorize": True},
        },
    )
    publish(
        "acme/small",
        {
            "kind": "cuda",
            "arch": "sm_53",
            "keys": ["cuda", "gpu"],
            "model": "a=b",
            "host": {
                "kind": "llvm",
                "mtriple": "arm64-unknown-linux-gnu",
                "mcpu": "cortex-a57",
                "num-cores": 4,
            },
            "hardware": {
                "vendor": "Acme",
                "memory_bytes": 64,
                "sources": {"memory": ["https://example.org/"]},
            },
            "flow": {"a.b": [1, 2]},
        },
    )


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (["num-cores=8"], {"acme/big"}),
        (["num-cores=8.0"], {"acme/big"}),
        (["num-cores=+8"], {"acme/big"}),
        (["num-cores>=4"], {"acme/big", "acme/small"}),
        (["num-cores>4"], {"acme/big"}),
        (["num-cores<8"], {"acme/small"}),
        (["num-cores<=8"], {"acme/big", "acme/small"}),
        (["num-cores>1e300"], set()),
        (["num-cores=1e999"], set()),
        (["/num-cores=4"], set()),
        (["/host/num-cores=4"], {"acme/small"}),
        (["/host/num-cores<9"], {"acme/small"}),
        (["mattr=+avx2"], {"acme/big"}),
        (["mattr=avx2"], set()),
        (["mattr=+avx2", "mattr=+fma"], {"acme/big"}),
        (["keys=gpu"], {"acme/small"}),
        (["tir.disable_vectorize=true"], {"acme/big"}),
        (["tir.disable_vectorize=1"], set()),
        (["a.b=1"], {"acme/small"}),
        (["model=a=b"], {"acme/small"}),
        (["kind=llvm"], {"acme/big", "acme/small"}),
        (["/kind=llvm"], {"acme/big"}),
        (["kind=llvm", "kind=cuda"], {"acme/small"}),
        (["kind=LLVM"], set()),
        (["os=linux"], {"acme/big", "acme/small"}),
        (["/mtriple/os=linux"], {"acme/big"}),
        (["/host/mtriple/os=linux"], {"acme/small"}),
        (["/host/mtriple/arch=aarch64"], {"acme/small"}),
        (["/host/mtriple/arch=arm64"], {"acme/small"}),
        (["libc=musl"], {"acme/big"}),
        (["abi=x32"], {"acme/big"}),
        (["vendor=pc"], {"acme/big"}),
        (["vendor=unknown"], set()),
        (["vendor=Acme"], {"acme/small"}),
        (["/mtriple=x86_64-pc-linux-muslx32"], {"acme/big"}),
        (["opt-level=3"], set()),
        (["opt-level>3"], set()),
        (["memory=8"], set()),
        (["memory_bytes=1"], set()),
        (["kind=llvm", "num-cores>1", "num-cores<9", "mattr=+avx2", "mcpu=znver4"], {"acme/big"}),
    ],
)
@pytest.mark.parametrize("limit", [0, filters.MAX_LEADING])
def test_conditions_select_tags(
    monkeypatch: pytest.MonkeyPatch, where: list[str], expected: set[str], limit: int
) -> None:
    monkeypatch.setattr(filters, "MAX_LEADING", limit)
    assert set(tags(search("", *where, namespace="acme"))) == expected
    assert set(tags(search("acme", *where))) == expected
    results = search("", *where, namespace="acme")
    assert (results.total, results.is_capped) == (len(expected), False)


@pytest.mark.parametrize("text", ["", "acme"])
@pytest.mark.parametrize(
    ("where", "name", "near"),
    [
        ("num-core=8", "num-core", "num-cores"),
        ("/host/mcpus=cortex-a57", "mcpus", "mcpu"),
        ("nonsense>=1", "nonsense", None),
        ("/=1", "", None),
    ],
)
def test_option_that_no_tag_and_no_kind_has_is_rejected(
    text: str, where: str, name: str, near: str | None
) -> None:
    with pytest.raises(Refused) as refused:
        search(text, "kind=llvm", where)
    assert refused.value.code == Code.FILTER_INVALID
    assert f"where={echo(name)}" in refused.value.detail
    assert near is None or near in refused.value.suggestions


@pytest.mark.parametrize("where", ["memory>8", "/hardware/sources/memory>=8", "kind<1"])
def test_comparing_with_a_number_what_is_none_anywhere_is_rejected(where: str) -> None:
    with pytest.raises(Refused) as refused:
        search("", where)
    assert refused.value.code == Code.FILTER_INVALID
    assert "expected the name of an option with numbers" in refused.value.detail
    assert ("memory_bytes" in refused.value.suggestions) is ("memory" in where)
