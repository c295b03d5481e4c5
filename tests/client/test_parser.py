"""Errors of the command line: one line, with the nearest name."""

import pytest

from tests.client.conftest import Ttag


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["reslove", "arm/soc"], "ttag has no command reslove. Did you mean resolve?"),
        (["resolve", "--fromat", "clang", "arm/soc"], "ttag resolve has no option --fromat."),
        (["resolve", "--fromat=clang", "arm/soc"], "Did you mean --format?"),
        (["resolve", "--for", "clang", "arm/soc"], "ttag resolve has no option --for."),
        (["publish", "a/b", "-", "--format", "tvmstring"], "Did you mean tvm-string?"),
        (["completion", "bsh"], "ttag completion has no shell bsh. Did you mean bash?"),
        (
            ["resolve"],
            "the following arguments are required: REF. `ttag resolve --help` says more.",
        ),
        ([], "the following arguments are required: COMMAND. `ttag --help` says more."),
    ],
)
def test_wrong_word_is_one_line_with_the_nearest(
    ttag: Ttag, arguments: list[str], sentence: str
) -> None:
    run = ttag(*arguments)
    assert (run.code, run.out) == (2, "")
    assert sentence in run.err
    assert run.err.count("\n") == 1
