"""Targets as people paste them: quoted, wrapped, out of shells, scripts and chats."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Refused
from registry.domain.importers import IMPORTERS
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.python_text import is_python
from registry.domain.unwrapping import Unwrapped, unwrap
from tests.domain.builders import KINDS

CUDA = {"kind": "cuda", "arch": "sm_89"}
ARM = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mattr": ["+neon", "+fp16"]}
LINE = "llvm -mtriple=aarch64-linux-gnu -mattr=+neon,+fp16"


def read(text: str, kinds: Kinds = KINDS) -> object:
    name = "tvm" if is_python(text) or text.lstrip().startswith("{") else "tvm-string"
    return IMPORTERS[name].read(text, kinds).body


@pytest.mark.parametrize(
    "text",
    [
        "cuda -arch=sm_89",
        '"cuda -arch=sm_89"',
        "'cuda -arch=sm_89';",
        "`cuda -arch=sm_89`",
        "\u201ccuda \u2013arch=sm_89\u201d",
        '"cuda -arch=sm_89',
        "\ufeffcuda -arch=sm_89",
        'export TARGET="cuda -arch=sm_89"',
        '--target="cuda -arch=sm_89"',
        "--target 'cuda -arch=sm_89'",
        '--target=\'{"kind": "cuda", "arch": "sm_89"}\'',
        "```json\n{'kind': 'cuda', 'arch': 'sm_89'}\n```",
        "```\ncuda -arch=sm_89\n```",
        "# the card in the lab\ncuda -arch=sm_89",
        '>>> tvm.target.Target("cuda -arch=sm_89")',
        "r'cuda -arch=sm_89'",
        '("cuda "\n "-arch=sm_89")',
        'tvm.target.Target("""cuda\n -arch=sm_89""")',
        'tvm::Target("cuda -arch=sm_89")',
        'Target("cuda -arch=sm_89");',
    ],
)
def test_quoted_targets_are_found(text: str) -> None:
    unwrapped = unwrap(text)
    assert read(unwrapped.text) == CUDA
    assert unwrapped.left_out == ""


@pytest.mark.parametrize(
    "text",
    [
        "llvm \\\n  -mtriple=aarch64-linux-gnu \\\n  -mattr=+neon,+fp16",
        "llvm \\  \n  -mtriple=aarch64-linux-gnu\n  -mattr=+neon,+fp16\n",
        '"llvm\n  -mtriple=aarch64-linux-gnu\n  -mattr=+neon,+fp16"',
        '"llvm \\\n  -mtriple=aarch64-linux-gnu \\\n  -mattr=+neon,+fp16"',
        "llvm -mtriple=aarch64-linux-gnu -mattr=+neon,\n+fp16",
        'Target(\n  "llvm -mtriple=aarch64-linux-gnu "\n  "-mattr=+neon,+fp16",\n)',
    ],
)
def test_wrapped_targets_are_joined(text: str) -> None:
    assert read(unwrap(text).text) == ARM


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ('tvmc compile --target="cuda -arch=sm_89" model.onnx', "tvmc compile model.onnx"),
        ("$ tvmc tune --target 'cuda -arch=sm_89'", "tvmc tune"),
        ('import tvm\nt = tvm.target.Target("cuda -arch=sm_89")', "import tvm t ="),
        ('with Target("cuda -arch=sm_89"):', "with :"),
        ('auto target = Target("cuda -arch=sm_89");', "auto target ="),
    ],
)
def test_what_stands_around_the_target_is_named(text: str, left_out: str) -> None:
    unwrapped = unwrap(text)
    assert read(unwrapped.text) == CUDA
    assert unwrapped.left_out == left_out


def test_executor_and_runtime_beside_the_target_of_tvmc_are_named() -> None:
    unwrapped = unwrap("tvmc --target=c --executor=aot --runtime=crt")
    assert read(unwrapped.text) == {"kind": "c"}
    assert unwrapped.left_out == "tvmc --executor=aot --runtime=crt"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "llvm -host='llvm -mattr=\\'+a,+b\\''",
        'tvm.target.Target("cuda", host=tvm.target.Target("llvm"))',
        'target = tvm.target.Target("cuda -arch=sm_89")',
        "# only a comment",
        "Target(",
        '"',
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert unwrap(text).text.strip(' "') == text.strip(' "')
    assert unwrap(text).left_out == ""


@pytest.mark.parametrize(
    "text",
    [
        'a = Target("cuda")\nb = Target("llvm")',
        '--target="cuda" --target="llvm"',
        "tvm.target.cuda()\ntvm.target.rocm()",
        'with Target("cuda -arch=sm_80"):\n  f()\nwith Target("cuda -arch=sm_86"):\n  f()',
    ],
)
def test_several_different_targets_are_named(text: str) -> None:
    with pytest.raises(Refused) as caught:
        unwrap(text)
    (fault,) = caught.value.faults
    assert fault.code == "TWO_TARGETS"
    assert "2 different targets" in fault.message


@pytest.mark.parametrize(
    "text",
    [
        'with Target("cuda -arch=sm_89"):\n  f()\nwith Target( "cuda -arch=sm_89" ):\n  g()',
        'with tvm.target.cuda(arch="sm_89", options="-libs=a"):\n  f()',
    ],
)
def test_one_target_is_found_however_often_it_is_written(text: str) -> None:
    if "libs" in text:
        assert unwrap(text).text.strip() == 'tvm.target.cuda(arch="sm_89", options="-libs=a")'
    else:
        assert read(unwrap(text).text) == CUDA


@pytest.mark.parametrize(
    "text",
    [
        "clang --target=aarch64-linux-gnu -mcpu=cortex-a53 -c a.c",
        "iree-compile --iree-hal-target-device=local --iree-llvmcpu-target-cpu=znver4",
        '#a = #hal.executable.target<"llvm-cpu", "x", {cpu = "znver4"}>\n#b = 1',
    ],
)
def test_commands_and_attributes_of_compilers_stay_whole(text: str) -> None:
    assert unwrap(text) == Unwrapped(text)


def test_errors_have_the_position_in_the_pasted_text() -> None:
    text = '$ tvmc tune --target="llvm -mcpuu=x"'
    with pytest.raises(Refused) as caught:
        read(unwrap(text).text)
    place = caught.value.faults[0].place
    assert place
    assert place.column == text.index("-mcpuu") + 1


@given(st.text(alphabet="aT\"'`\\\n (),;-+=:#$>{}.rget", max_size=60) | st.text(max_size=40))
def test_every_text_keeps_its_length(text: str) -> None:
    assert len(unwrap(text).text) == len(text)


QUOTES = st.sampled_from(["{}", '"{}"', "'{}'", "`{}`"])
WRAPPERS = st.sampled_from(["```\n{}\n```", "$ {}", ">>> {}", "  {}\n", "\ufeff{}", "# note\n{}"])


@given(QUOTES, st.lists(WRAPPERS, max_size=3, unique=True))
def test_wrappers_nest(quotes: str, wrappers: list[str]) -> None:
    text = quotes.format(LINE)
    for wrapper in wrappers:
        text = wrapper.format(text)
    assert read(unwrap(text).text) == ARM


def test_target_alone_is_not_changed() -> None:
    assert unwrap(LINE) == Unwrapped(LINE)
