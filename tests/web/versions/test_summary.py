"""The summary of a target in one line."""

from typing import Any

import pytest

from registry.web.versions.summary import summary


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ({"kind": "llvm", "mcpu": "haswell", "num-cores": 8}, "llvm haswell · 8 cores"),
        ({"kind": "cuda"}, "cuda"),
        (
            {"kind": "composite", "devices": [{"kind": "cuda", "arch": "sm_53"}, {"kind": "c"}]},
            "composite of 0 (cuda sm_53), 1 (c)",
        ),
        ({"flow": {"link-params": True}}, "mixin: a patch for other targets"),
        ({"devices": {"$append": ["a/b"]}, "executor": None}, "mixin: a patch for other targets"),
        (
            {"kind": "c", "hardware": {"vendor": "Acme", "model": "Acme 1"}},
            "Acme 1 · c",
        ),
    ],
)
def test_targets_are_summarized_in_one_line(target: Any, text: str) -> None:
    assert summary(target) == text
