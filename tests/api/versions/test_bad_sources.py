"""Tests of sources that cannot be imported and of formats that cannot be exported.

Each row has a mistake and its answer: code, part of the message, part of what was expected, pointer
and suggestions. Nothing is stored.
"""

import copy
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.test import Client

from registry.domain.tvm.command_line import quote_word
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.publishing import row_counts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme"), pytest.mark.any_database]

Check = Callable[..., list[dict[str, Any]]]


class Answer(NamedTuple):
    """Hold a part of an error's message and of what it expected."""

    code: str
    message: str
    expected: str
    pointer: str = ""
    near: tuple[str, ...] = ()


@pytest.fixture
def check(post: Post) -> Check:
    """Return a function that checks a body or source and returns the errors."""

    def errors(**described: Any) -> list[dict[str, Any]]:
        before = row_counts()
        response = post("check", {"tag": "acme/board", **described})
        assert response.status_code == 200, response.content[:300]
        assert row_counts() == before
        verdict = response.json()
        assert verdict["valid"] is False
        assert verdict["target"] is None
        result: list[dict[str, Any]] = verdict["errors"]
        return result

    return errors


def compare(errors: list[dict[str, Any]], answer: Answer) -> None:
    """Compare the only error with the answer."""
    (error,) = errors
    assert (error["pointer"], error["code"]) == (answer.pointer, answer.code)
    assert answer.message in error["message"]
    assert answer.expected in error["expected"]
    assert tuple(error["suggestions"]) == answer.near


NO_OPTION = "an option such as -mcpu=cortex-a53"
NO_DASH = "does not begin with a dash and is not an option's value"
LIMIT = "max_shared_memory_per_block"

# The place of a line's errors is the whole: they name the character.
LINES = [
    ("", Answer("OPTION_MISSING", "a target is missing", "a kind and its options")),
    ("llvm -=x", Answer("OPTION_INVALID", "-=x at character 5 has no option name", NO_OPTION)),
    ("llvm --", Answer("OPTION_INVALID", "-- at character 5 has no option name", NO_OPTION)),
    ("llvm -mcpu=", Answer("OPTION_INVALID", "-mcpu= at character 5 has no value", NO_OPTION)),
    ("composite -devices=", Answer("OPTION_INVALID", "-devices= at character 10", NO_OPTION)),
    (
        "llvm -mcpu=a -mcpu=a",
        Answer("OPTION_TWICE", "13 is a duplicate of the one at character 5", "once"),
    ),
    ("llvm -kind=llvm", Answer("OPTION_TWICE", "-kind at character 5 is a duplicate", "once")),
    (
        "llvm -num-core=4",
        Answer(
            "OPTION_UNKNOWN",
            "-num-core at character 5: llvm has no option num-core",
            "a known option",
            near=("num-cores",),
        ),
    ),
    (
        f"cuda -shared_memory_per_block=1 -{LIMIT}=2",
        Answer("OPTION_TWICE", f"is an old name of {LIMIT}, which is also stated", "only one"),
    ),
    ("cuda -from_device=0", Answer("OPTION_UNKNOWN", "asks the machine that builds", "values")),
    ("lvm", Answer("KIND_UNKNOWN", "lvm is not a known kind", "one of byoc, c", near=("llvm",))),
    ("cublas", Answer("KIND_UNKNOWN", "TVM removed after 0.19", "a byoc with codegen cublas")),
    ("llvm mcpu=a", Answer("OPTION_INVALID", f"mcpu=a at character 5 {NO_DASH}", NO_OPTION)),
    ("llvm -mcpu=a b", Answer("OPTION_INVALID", f"b at character 13 {NO_DASH}", NO_OPTION)),
    ("llvm -mcpu='a", Answer("QUOTE_OPEN", "quote at character 11 is not closed", "a second")),
    (r"llvm -libs='a,\'b'", Answer("QUOTE_OPEN", "quote at character 15 is not", "a second")),
    ("llvm -mcpu=a\\", Answer("QUOTE_OPEN", "the \\ at character 12 escapes", "a character")),
    ("llvm -num-cores=abc", Answer("VALUE_TYPE", "abc is not of type integer", "integer")),
    ("llvm -num-cores=" + "9" * 19, Answer("VALUE_RANGE", "is beyond 64 bits", "-922337203685")),
    ("llvm -num-cores=0", Answer("VALUE_RANGE", "0 is not 1 or more", "1 or more", "/num-cores")),
    ("llvm -fast-math=yes", Answer("VALUE_TYPE", "yes is not of type boolean", "boolean")),
    ("llvm -mattr=+a,a*", Answer("VALUE_PATTERN", "a* is not +name", "+name or", "/mattr/1")),
    ("llvm -flow=x", Answer("VALUE_TYPE", "flow is an object, which a command line", "a body")),
    ("composite", Answer("OPTION_MISSING", "has at least one device", "devices: a list")),
    (
        "composite -devices=,",
        Answer("OPTION_MISSING", "has at least one device", "devices: a", "/devices"),
    ),
    ("cuda -host=lvm", Answer("KIND_UNKNOWN", "character 11: lvm is", "one of", near=("llvm",))),
    ("cuda -host=''", Answer("OPTION_MISSING", "-host at character 5: a target is", "a kind")),
    (
        "cuda -host='llvm -mcpuu=a'",
        Answer("OPTION_UNKNOWN", "-mcpuu at character 17: ", "a known option", near=("mcpu",)),
    ),
    ("cuda -host=acme/no", Answer("TAG_UNKNOWN", "There is no tag acme/no", "a tag", "/host")),
    (
        "aws/c4 -mcpuu=x",
        Answer("OPTION_UNKNOWN", "no kind has an option mcpuu", "a known option", near=("mcpu",)),
    ),
    ("cuda, lvm", Answer("KIND_UNKNOWN", "character 6: lvm is", "one of", near=("llvm",))),
    (
        "cmsis-nn, cudnn",
        Answer("OPTION_MISSING", "needs an ordinary target", "llvm, after a comma"),
    ),
    ("acme/No", Answer("REFERENCE_INVALID", "its part No is not lowercase letters", "a tag")),
]


@pytest.mark.parametrize(("line", "answer"), LINES, ids=[line for line, _ in LINES])
def test_invalid_command_line(check: Check, line: str, answer: Answer) -> None:
    compare(check(format="tvm-string", source=line), answer)


def test_misspelled_tag_on_a_command_line_suggests_similar_ones(check: Check) -> None:
    (error,) = check(format="tvm-string", source="cuda -host=aws/c4.4xlrge")
    assert (error["pointer"], error["code"]) == ("/host", "TAG_UNKNOWN")
    assert error["suggestions"][0] == "aws/c4.4xlarge"


def test_all_faults_of_a_command_line_are_reported(check: Check) -> None:
    errors = check(format="tvm-string", source="lvm -=a x -a=1 -a=2")
    codes = ["KIND_UNKNOWN", "OPTION_INVALID", "OPTION_INVALID", "OPTION_TWICE"]
    assert [error["code"] for error in errors] == codes


LAYOUT: dict[str, Any] = {
    "targets": {
        "cpu": {"kind": "llvm", "mcpu": "cortex-a72"},
        "gpu": {"kind": "mali"},
        "tiny": {"kind": "llvm", "mcpu": "cortex-m0"},
    },
    "executors": {
        "dsp": {"targets": ["cpu", "gpu"], "target_host": "cpu", "executor": "vm"},
        "low-power": {"targets": ["tiny"], "executor": "aot", "runtime": "crt"},
    },
}
DSP, GPU = "/executors/dsp", "/devices/dsp/devices/gpu"
LABEL = "a label of 1 to 32 lowercase letters"


def changed(pointer: str, value: Any) -> dict[str, Any]:
    """Return the layout with another value at a pointer, or without one."""
    layout = copy.deepcopy(LAYOUT)
    *around, name = pointer.split("/")[1:]
    place = layout
    for key in around:
        place = place[key]
    place[name] = value
    if value is None:
        del place[name]
    return layout


CHANGES = [
    (
        f"{DSP}/targets",
        ["cpu", "gpu", "gpuu"],
        Answer("TARGET_UNKNOWN", "called gpuu", "in targets", f"{DSP}/targets/2", ("gpu",)),
    ),
    (
        f"{DSP}/target_host",
        ["cpuu"],
        Answer("TARGET_UNKNOWN", "called cpuu", "in targets", f"{DSP}/target_host/0", ("cpu",)),
    ),
    (
        f"{DSP}/targets",
        ["cpu", "gpu", "cpu"],
        Answer("TARGET_TWICE", "two targets called cpu", "each name once", f"{DSP}/targets/2"),
    ),
    (
        f"{DSP}/target_host",
        ["cpu", "gpu"],
        Answer("VALUE_RANGE", '["cpu", "gpu"]', "a list of at most 1", f"{DSP}/target_host"),
    ),
    (
        f"{DSP}/targets",
        ["cpu"],
        Answer(
            "TARGET_UNUSED",
            "no executor uses the target gpu",
            "a target that is used",
            "/targets/gpu",
        ),
    ),
    (f"{DSP}/targets", [], Answer("VALUE_RANGE", "[]", "a list of at least 1", f"{DSP}/targets")),
    (f"{DSP}/targets", None, Answer("OPTION_MISSING", "targets is missing", "targets", DSP)),
    ("/executors", {}, Answer("OPTION_MISSING", "no executors", "at least one", "/executors")),
    ("/targets", {}, Answer("OPTION_MISSING", "no targets", "at least one", "/targets")),
    (
        "/executors/kind",
        {"targets": "gpu"},
        Answer("LABEL_INVALID", "kind is not a label", LABEL, "/executors/kind"),
    ),
    (
        f"{DSP}/executr",
        "vm",
        Answer("OPTION_UNKNOWN", "executr", "a known option", f"{DSP}/executr", ("executor",)),
    ),
    (
        f"{DSP}/executor",
        "aott",
        Answer("KIND_UNKNOWN", "aott", "aot, graph, vm", "/devices/dsp/executor/kind", ("aot",)),
    ),
    (
        "/targets/gpu",
        {"kind": "openc"},
        Answer("KIND_UNKNOWN", "openc is not a known kind", "one of", f"{GPU}/kind", ("opencl",)),
    ),
    (
        "/targets/gpu",
        {"kind": "composite", "devices": {"kind": "llvm"}},
        Answer("LABEL_INVALID", "kind is not a label", LABEL, f"{GPU}/devices/kind"),
    ),
]


@pytest.mark.parametrize(("pointer", "value", "answer"), CHANGES)
def test_invalid_split_configuration(
    check: Check, pointer: str, value: Any, answer: Answer
) -> None:
    layout = changed(pointer, value)
    compare(check(format="config", source=layout), answer)
    compare(check(format="config", source=json.dumps(layout)), answer)


def test_all_faults_of_a_configuration_are_reported(check: Check) -> None:
    errors = check(format="config", source=changed("/targets/kind", "llvm"))
    codes = ["LABEL_INVALID", "TARGET_UNUSED"]
    assert [(error["pointer"], error["code"]) for error in errors] == [
        ("/targets/kind", code) for code in codes
    ]


AN_OBJECT = "an object such as"
SOURCES = [
    ("[1]", Answer("JSON_INVALID", "[1] is not a target", AN_OBJECT)),
    (
        "llvm -mcpuu=x",
        Answer("OPTION_UNKNOWN", "no option mcpuu", "a known option", near=("mcpu",)),
    ),
    (
        "Target('llvm', host=name)",
        Answer("PYTHON_INVALID", "column 21: the value of name is not stated", "tvm.target.Target"),
    ),
    ({}, Answer("OPTION_MISSING", "neither a kind nor a tag is stated", AN_OBJECT)),
    ({"kind": "lvm"}, Answer("KIND_UNKNOWN", "lvm is not a known", "one of", "/kind", ("llvm",))),
    ({"kind": "cublas"}, Answer("KIND_UNKNOWN", "TVM removed after 0.19", "a byoc", "/kind")),
    (
        {"kind": "llvm", "mcpuu": "x"},
        Answer("OPTION_UNKNOWN", "no option mcpuu", "a known option", "/mcpuu", ("mcpu",)),
    ),
    (
        {"kind": "llvm", "num-cores": "4"},
        Answer("VALUE_TYPE", "is not of type integer", "integer", "/num-cores"),
    ),
    (
        '{"kind": "llvm", "kind": "c"}',
        Answer("JSON_INVALID", "the key kind occurs twice", "one key", "/kind"),
    ),
    (
        {"kind": "cuda", "host": "llvm -mcpuu=x"},
        Answer("OPTION_UNKNOWN", "no option mcpuu", "a known option", "/host", ("mcpu",)),
    ),
    *(
        (
            f'{{"kind": "llvm", "num-cores": {number}}}',
            Answer("JSON_INVALID", "is beyond ±(2^53-1)", "at most", "/num-cores"),
        )
        for number in (2**53, 2**63 - 1, 2**64, -(2**64), 10**30)
    ),
    (
        {"target": {"kind": "c"}, "build": {"/hots": {"executor": "aot"}}},
        Answer("VALUE_INVALID", "there is no target at /hots", "the pointer", "/build/~1hots"),
    ),
    (
        {"target": {"kind": "c"}, "biuld": {}},
        Answer("OPTION_UNKNOWN", "no option biuld", "a known option", "/biuld", ("build",)),
    ),
]


@pytest.mark.parametrize(("source", "answer"), SOURCES)
def test_invalid_tvm_target(check: Check, source: Any, answer: Answer) -> None:
    compare(check(format="tvm", source=source), answer)


NO_DEVICE = Answer("OPTION_MISSING", "a composite has at least one device", "devices: a list")


@pytest.mark.parametrize(
    ("devices", "answer"),
    [
        ([], NO_DEVICE._replace(pointer="/devices")),
        ({}, NO_DEVICE._replace(pointer="/devices")),
        ({"kind": "llvm"}, Answer("LABEL_INVALID", "kind is not", LABEL, "/devices/kind")),
        ({"tag": "llvm"}, Answer("LABEL_INVALID", "tag is not", LABEL, "/devices/tag")),
        ({"Gpu": "cuda"}, Answer("LABEL_INVALID", "Gpu is not", LABEL, "/devices/Gpu")),
    ],
)
def test_invalid_devices_of_a_composite(check: Check, devices: Any, answer: Answer) -> None:
    body = {"kind": "composite", "devices": devices}
    compare(check(target=body), answer)
    compare(check(format="tvm", source=body), answer)


AOT = {"kind": "aot", "interface-api": "c"}
BUILD = {"": {"executor": AOT, "runtime": {"kind": "crt"}}}
OLD = {"kind": "c", "executor": "aot", "interface-api": "c", "runtime": "c"}
LINE = "c -executor=aot -interface-api=c -unpacked-api=0 -runtime=c"
LOW_POWER = changed("/executors/low-power/executor", AOT)


@pytest.mark.parametrize(
    ("described", "pointer"),
    [
        ({"target": {"kind": "c", "executor": AOT, "runtime": "crt"}}, "/executor"),
        ({"format": "tvm", "source": OLD}, "/executor"),
        ({"format": "tvm", "source": {"target": {"kind": "c"}, "build": BUILD}}, "/executor"),
        ({"format": "tvm-string", "source": LINE}, "/executor"),
        ({"format": "config", "source": LOW_POWER}, "/devices/low-power/executor"),
    ],
)
def test_packed_calls_with_the_c_interface_are_rejected(
    check: Check, described: dict[str, Any], pointer: str
) -> None:
    message = "AOT on crt with interface-api c calls operators unpacked"
    errors = check(**described)
    compare(errors, Answer("CALLS_DISAGREE", message, "unpacked-api: true, or", pointer))
    assert errors[0]["found"] == "unpacked-api false"


TEXTS = ("a b", "it's", 'a"b', "$(id)", "`id`", "@file", "a;b", "a&b", "a|b", "a\\b", "%TMP%", "")
FORMS_OF_TEXT = ("body", "config", "tvm", "tvm-string")


def cpu(form: str, name: str) -> tuple[dict[str, Any], str]:
    """Return a source with this CPU name, and the pointer of the name in the body."""
    payload = {"kind": "llvm", "mcpu": name}
    if form == "body":
        return {"target": payload}, "/mcpu"
    if form == "config":
        source = changed("/targets/tiny", payload)
        return {"format": form, "source": source}, "/devices/low-power/devices/tiny/mcpu"
    return {
        "format": form,
        "source": payload if form == "tvm" else f"llvm -mcpu={quote_word(name)}",
    }, "/mcpu"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("form", FORMS_OF_TEXT)
def test_text_with_shell_metacharacters_is_rejected(check: Check, form: str, text: str) -> None:
    described, pointer = cpu(form, text)
    errors = check(**described)
    compare(errors, Answer("VALUE_PATTERN", "letters, digits", "beginning with a letter", pointer))
    assert errors[0]["found"] == text


UNSAFE = [
    (
        {"format": "tvm-string", "source": "llvm -mcpu=x -cl-opt=-unroll-runtime,-load=/x"},
        "/cl-opt/1",
        "-load=/x",
    ),
    (
        {"format": "tvm", "source": {"kind": "llvm", "cl-opt": ["-print-after-all"]}},
        "/cl-opt/0",
        "-print-after-all",
    ),
    (
        {
            "format": "config",
            "source": changed("/targets/tiny", {"kind": "llvm", "cl-opt": ["-stats"]}),
        },
        "/devices/low-power/devices/tiny/cl-opt/0",
        "-stats",
    ),
]


@pytest.mark.parametrize(("described", "pointer", "text"), UNSAFE)
def test_unsafe_options_are_rejected(
    check: Check, described: dict[str, Any], pointer: str, text: str
) -> None:
    errors = check(**described)
    compare(errors, Answer("OPTION_UNSAFE", "LLVM option", "-unroll-threshold", pointer))
    assert errors[0]["found"] == text


@pytest.mark.parametrize(
    "described",
    [
        {"format": "tvm-string", "source": "llvm -mcpu=x -mattr=+avx512f,-avx512f"},
        {"format": "tvm", "source": {"kind": "llvm", "mattr": ["avx512f", "-avx512f"]}},
        {"target": {"kind": "llvm", "mattr": ["+avx512f", "-avx512f"]}},
    ],
)
def test_both_signs_of_a_feature_are_rejected_with_both_items(
    check: Check, described: dict[str, Any]
) -> None:
    errors = check(**described)
    compare(
        errors,
        Answer("FEATURE_BOTH_SIGNS", "+avx512f at /mattr/0", "either +avx512f or", "/mattr/1"),
    )
    assert "-avx512f" in errors[0]["message"]


@pytest.mark.parametrize("form", FORMS_OF_TEXT)
def test_text_without_shell_metacharacters_is_accepted(post: Post, form: str) -> None:
    described, _ = cpu(form, "cortex-a72")
    assert post("check", {"tag": "acme/board", **described}).json()["valid"]


def resolve(client: Client, reference: str, **query: str) -> Any:
    before = row_counts()
    response = client.get(f"/api/v1/resolve/{reference}", query)
    assert row_counts() == before
    return response


@pytest.mark.parametrize(
    ("name", "near"), [("clagn", "clang"), ("TVM", "tvm"), ("tvm_string", "tvm-string")]
)
def test_unknown_format_lists_near_ones_first(client: Client, name: str, near: str) -> None:
    error = problem(resolve(client, "aws/c4.4xlarge", format=name), "FORMAT_UNKNOWN")
    assert error["suggestions"][0] == near
    assert f"Formats: {near} (" in error["detail"]


@pytest.mark.parametrize("name", ["nope", "", "TVM", "tvm_string"])
def test_unknown_format_lists_the_existing_ones(client: Client, name: str) -> None:
    error = problem(resolve(client, "aws/c4.4xlarge", format=name), "FORMAT_UNKNOWN")
    assert error["detail"].startswith(f"There is no format {name or 'without a name'}.")
    assert set(error["suggestions"]) == set(EXPORT_FORMATS)
    assert all(
        f"{names} ({form.media_type})" in error["detail"] for names, form in EXPORT_FORMATS.items()
    )


def test_export_format_is_not_an_importer(post: Post) -> None:
    error = problem(
        post("check", {"tag": "acme/board", "format": "cmake", "source": ""}), "FORMAT_UNKNOWN"
    )
    assert error["detail"] == (
        "There is no importer cmake; available: archspec, clang, config, iree, tvm, tvm-string."
    )
    assert error["suggestions"] == ["archspec", "clang", "config", "iree", "tvm", "tvm-string"]


def test_the_nearest_importer_is_named_first(post: Post) -> None:
    body = {"tag": "acme/board", "format": "tvm-strin", "source": ""}
    assert problem(post("check", body), "FORMAT_UNKNOWN")["suggestions"][0] == "tvm-string"


def test_strict_reports_each_loss_with_its_reason(client: Client) -> None:
    response = resolve(client, "aws/c4.4xlarge", format="tvm-string", strict="1")
    error = problem(response, "FORMAT_LOSSY")
    assert "tvm-string would drop /executor and 1 more: " in error["detail"]
    assert error_positions(error) == [("/executor", "FORMAT_LOSSY"), ("/hardware", "FORMAT_LOSSY")]
    assert error["errors"][1]["message"] == "facts for people, which no compiler reads"


@pytest.mark.parametrize("query", [{}, {"record": "1"}, {"strict": "1"}])
def test_mixin_has_no_export_for_targets(client: Client, query: dict[str, str]) -> None:
    error = problem(resolve(client, "micro/aot", format="tvm", **query), "NOT_A_TARGET")
    assert (
        error["detail"] == "micro/aot@1.0.0 is a mixin: it can only be exported as json and target."
    )


@pytest.mark.parametrize(
    ("reference", "name", "message", "near"),
    [
        ("example/two-machines", "tvm-string", "has several", "/devices/machine0/host"),
        ("example/two-machines", "clang", "has no CPU as its host", "/devices/machine0/host"),
        ("nvidia/jetson-nano:cuda", "iree", "does not support the arch sm_53", "/host"),
    ],
)
def test_unsupported_target_suggests_nodes_that_are_supported(
    client: Client, reference: str, name: str, message: str, near: str
) -> None:
    error = problem(resolve(client, reference, format=name), "FORMAT_UNFIT")
    assert message in error["detail"]
    assert near in error["suggestions"]
    assert resolve(client, reference, format=name, node=near).status_code == 200
