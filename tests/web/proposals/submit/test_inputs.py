"""The inputs of the guided form."""

import html
import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from registry.domain import body_form
from registry.domain.body_form import Start
from registry.domain.errors import Code, Fault, Refused
from registry.web.proposals.submit import bodies, form_data
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_state import FormState
from registry.web.proposals.submit.guided_inputs import DeviceRow, GuidedInputs, InputGroup
from registry.web.proposals.submit.inputs import Input, LinkedError, link_errors
from tests.domain.builders import KINDS

CUDA = body_form.start_of_kind(KINDS, "cuda")
BYOC = body_form.start_of_kind(KINDS, "byoc")
HEIR = body_form.start_of_parents(KINDS, "cuda")
PARENT: Any = {
    "kind": "cuda",
    "arch": "sm_53",
    "host": {"kind": "llvm", "mcpu": "cortex-a57"},
    "runtime": {"kind": "cpp", "system-lib": True},
    "flow": {"link-params": False},
    "hardware": {"sources": {"all": [f"https://example.org/{'x' * 60}"]}},
}


def profile(start: Start, texts: dict[str, str], faults: Sequence[Fault] = ()) -> FormState:
    """Return the form with these texts by pointer, and these errors."""
    state = bodies.state_with_fields(form_data.parse_form({}), start, texts)
    if faults:
        state.refuse(Part.BODY, Refused(Code.BODY_INVALID, "", faults=faults))
    return state


def groups(state: FormState, inherited: Any = None) -> list[InputGroup]:
    assert state.start
    guided = GuidedInputs(state, state.start)
    guided.inherited = inherited
    return guided.groups()


def render_fields(state: FormState) -> str:
    return render_to_string("registry/submit/fields/form.html", {"groups": groups(state)})


def input_of(state: FormState, pointer: str, inherited: Any = None) -> Input:
    inputs = (input for group in groups(state, inherited) for input in group.all_inputs)
    return next(input for input in inputs if input.name == f"f:{pointer}")


def render_input(state: FormState, pointer: str) -> str:
    """Return the element of an input."""
    context = {"input": input_of(state, pointer)}
    return render_to_string("registry/submit/fields/control.html", context)


def problems(state: FormState) -> list[LinkedError]:
    inputs = (input for group in groups(state) for input in group.all_inputs)
    return link_errors(state.problems, {input.name: input for input in inputs})


def element_tag(markup: str, name: str) -> str:
    """Return the start tag of an input."""
    pattern = rf'<(?:input|select|textarea)[^>]* name="{re.escape(name)}"[^>]*>'
    match = re.search(pattern, markup)
    assert match, name
    assert f' id="{name}"' in match[0]
    return match[0]


def invalid_form(start: Start, texts: dict[str, str]) -> FormState:
    """Return the form with errors for these texts."""
    state = profile(start, texts)
    _, faults = bodies.read_body(state)
    assert faults
    state.refuse(Part.TEXTS, Refused(Code.BODY_INVALID, "", faults=faults))
    return state


def test_texts_are_read_by_pointer() -> None:
    post = QueryDict(mutable=True)
    post.update({"f:/arch": " sm_53 ", "f:": "{}", "tag": "a/b", "csrfmiddlewaretoken": "x"})
    state = FormState(form_data.parse_form(post))
    assert state.texts == {"/arch": " sm_53 ", "": "{}"}


@pytest.mark.parametrize("kind", sorted(KINDS.targets))
def test_every_input_has_a_label_and_existing_descriptions(
    kind: str,
) -> None:
    start = body_form.start_of_kind(KINDS, kind)
    markup = render_fields(profile(start, {}))
    ids = re.findall(r'\bid="([^"]*)"', markup)
    assert len(ids) == len(set(ids))
    elements = re.findall(r"<(?:input|select|textarea) [^>]*>", markup)
    ids_and_names = [re.findall(r' (?:id|name)="([^"]*)"', element)[::-1] for element in elements]
    assert {name.removeprefix("f:") for _, name in ids_and_names} >= set(start.fields) - {
        "/devices"
    }
    assert set(re.findall(r'<label [^>]*\bfor="([^"]*)"', markup)) == {
        id for id, _ in ids_and_names
    }
    for described in re.findall(r'aria-(?:describedby|labelledby)="([^"]*)"', markup):
        assert set(described.split()) <= set(ids)


def test_numbers_are_text_inputs_with_humanized_units() -> None:
    form = profile(CUDA, {"/max_shared_memory_per_block": "49152"})
    markup = render_fields(form)
    element = element_tag(markup, "f:/max_shared_memory_per_block")
    assert "inputmode" not in element, "units need letters"
    assert 'inputmode="numeric"' in element_tag(markup, "f:/thread_warp_size")
    assert 'value="49152"' in element
    assert 'type="text"' in element
    assert "bytes = 48 KiB" in markup
    warp = input_of(form, "/thread_warp_size")
    assert warp.description == "integer, 1 to 1,024 · read by tuning · in tuning keys"
    assert (warp.hint, warp.unit) == ("default: 32", "threads")
    assert input_of(form, "/mcpu").description == "in tuning keys"
    assert input_of(form, "/max_num_threads").description.endswith("deprecated")
    components = input_of(form, "/executor/interface-api")
    assert components.description == "only for aot · read by graph-executor"
    assert input_of(form, "/hardware/cores").description == "integer, 1 or more"


def test_numbers_with_units_are_kept_and_their_value_is_shown() -> None:
    markup = render_fields(profile(CUDA, {"/hardware/memory_bytes": "4 GiB"}))
    assert 'value="4 GiB"' in element_tag(markup, "f:/hardware/memory_bytes")
    assert "= 4294967296 bytes" in markup
    assert "integer, 1 or more · with or without a unit: 4 GiB" in markup


def test_invalid_input_is_kept() -> None:
    texts = {
        "/arch": '"><script>alert(1)</script>',
        "/thread_warp_size": "twelve",
        "/executor": "aott",
        "/host/mfloat-abi": "medium",
        "/keys": "a,\r\nb",
        "/flow/link-params": "perhaps",
        "": "\n</textarea>{",
    }
    markup = render_fields(invalid_form(CUDA, texts))
    assert "<script>" not in markup
    assert 'value="twelve"' in element_tag(markup, "f:/thread_warp_size")
    for text in texts.values():
        assert text in html.unescape(markup)
    for chosen in ("aott", "medium", "perhaps"):
        assert f'<option value="{chosen}" selected>' in markup
    assert ">\n\n&lt;/textarea&gt;{</textarea>" in markup  # the parser drops the first newline


def test_errors_are_shown_at_the_field_and_in_the_summary() -> None:
    form = invalid_form(CUDA, {"/thread_warp_size": "1,024", "/hardware/cores": "4.0"})
    markup = render_fields(form)
    message = '"1,024" is not an integer. Expected: digits only, in threads. Did you mean 1024?'
    assert [(error.href, error.label) for error in problems(form)] == [
        ("#f:/hardware/cores", "Cores"),
        ("#f:/thread_warp_size", "thread_warp_size"),
    ]
    assert problems(form)[1].message == message
    assert input_of(form, "/thread_warp_size").errors == [message]
    element = element_tag(markup, "f:/thread_warp_size")
    assert 'aria-invalid="true"' in element
    assert 'aria-describedby="f:/thread_warp_size_error ' in element
    assert html.escape(message) in markup


def test_error_of_the_whole_body_is_only_in_the_summary() -> None:
    form = profile(CUDA, {}, [Fault("", "HOST_DEPENDENT", "it depends on its host")])
    assert problems(form) == [LinkedError("it depends on its host.")]


def test_missing_option_is_an_error_of_its_field() -> None:
    fault = Fault("", "OPTION_MISSING", "the option codegen is missing", "codegen")
    form = profile(BYOC, {}, [fault])
    assert input_of(form, "/codegen").errors == ["Enter codegen."]
    assert 'aria-required="true"' in element_tag(render_fields(form), "f:/codegen")


def folded_groups(form: FormState) -> dict[str, bool]:
    return {group.name: group.is_open for group in groups(form) if group.folded}


def test_folded_groups_with_input_or_errors_are_open() -> None:
    assert not any(folded_groups(profile(CUDA, {})).values())
    form = profile(
        CUDA,
        {"/host/mcpu": "x", "": "{}"},
        [Fault("/hardware/l2_cache_bytes", "VALUE_TYPE", "no"), Fault("/flow/x.y", "X", "no")],
    )
    assert {name for name, is_open in folded_groups(form).items() if is_open} == {
        *("host", "hardware", "rest")
    }
    assert render_fields(form).count("<details open>") == 3
    assert "(1 filled in)" in render_fields(form)


@pytest.mark.parametrize(
    ("category", "visible"),
    [("gpu", "Memory bandwidth"), ("server-cpu", "L3 cache"), ("board", "Boost clock")],
)
def test_facts_by_which_people_choose_are_visible(category: str, visible: str) -> None:
    def labels(texts: dict[str, str], inherited: Any = None) -> list[str]:
        return [input.label for input in groups(profile(HEIR, texts), inherited)[0].inputs]

    assert visible not in labels({})
    assert visible in labels({"/hardware/category": category})
    assert visible in labels({}, {"hardware": {"category": category}})
    assert visible not in labels({"/hardware/category": "cloud-instance"})


@pytest.mark.parametrize(
    ("pointer", "hint"),
    [
        ("/arch", "inherited: sm_53"),
        ("/host", "inherited: llvm"),
        ("/host/mcpu", "inherited: cortex-a57"),
        ("/runtime/system-lib", "inherited: yes"),
        ("/flow/link-params", "inherited: no"),
        ("/hardware/sources", f"inherited: https://example.org/{'x' * 19}…"),
        ("/thread_warp_size", "default: 32"),
        ("/model", ""),
        ("/tag", ""),
    ],
)
def test_empty_field_shows_the_inherited_value(pointer: str, hint: str) -> None:
    assert input_of(profile(HEIR, {}), pointer, PARENT).hint == hint


def test_empty_field_is_inherited_if_the_parent_is_unknown() -> None:
    form = profile(HEIR, {})
    assert input_of(form, "/arch").hint == "inherited"
    choices = dict(input_of(form, "/flow/link-params").choices)
    assert list(choices.values()) == ["inherited", "yes", "no"]


def test_first_choice_is_empty_and_names_the_default() -> None:
    vulkan = profile(body_form.start_of_kind(KINDS, "vulkan"), {"/supports_int8": "false"})
    assert [label for _, label in input_of(vulkan, "/supports_float32").choices] == [
        *("not stated (default: yes)", "yes", "no")
    ]
    chosen = re.findall(r'value="([^"]*)" selected', render_input(vulkan, "/supports_int8"))
    assert chosen == ["false"]
    webgpu = profile(body_form.start_of_kind(KINDS, "webgpu"), {})
    assert [value for value, _ in input_of(webgpu, "/thread_warp_size").choices] == ["", "1", "32"]


def rows(form: FormState) -> Sequence[DeviceRow]:
    return next(group.rows for group in groups(form) if group.name == "devices")


def test_devices_have_spare_rows() -> None:
    assert len(rows(profile(BYOC, {}))) == 3
    texts = {"/devices/4#label": "gpu", "/devices/4": '{\n"kind": "c"}', "/devices/63x": "c"}
    form = profile(BYOC, texts)
    assert len(rows(form)) == 7
    assert rows(form)[4].label.text == "gpu"
    assert rows(form)[4].target.lines == 3
    assert len(rows(profile(BYOC, {"/devices/63": "c", "/devices/64": "c"}))) == 64


def test_errors_of_a_device_are_shown_in_its_row() -> None:
    texts = {"/devices/1#label": "gpu", "/devices/1": "arm/soc@1"}
    form = profile(BYOC, texts, [Fault("/devices/gpu/mcpu", "X", "no such thing")])
    assert [[*row.target.errors] for row in rows(form)] == [[], ["no such thing."], [], []]
    markup = render_fields(form)
    for name in ("f:/devices/1", "f:/devices/1#label"):
        assert 'aria-describedby="f:/devices/1_error"' in element_tag(markup, name)
    assert problems(form)[0].href == "#f:/devices/1"


def test_text_areas_grow_with_their_text() -> None:
    texts = {"/keys": ", ".join(["abcdefgh"] * 20), "": "{\n" + "\n" * 99 + "}"}
    form = profile(CUDA, texts)
    assert 'rows="5"' in render_input(form, "/keys")
    assert 'rows="20"' in render_input(form, "")
    assert "<input " in render_input(form, "/arch")


def test_missing_devices_are_an_error_of_the_first_row() -> None:
    composite = body_form.start_of_kind(KINDS, "composite")
    form = profile(composite, {}, [Fault("", "OPTION_MISSING", "devices is missing", "devices")])
    assert rows(form)[0].target.errors == ["Enter devices."]
    assert problems(form)[0].href == "#f:/devices/0"


def test_device_rows_have_no_inherited_hint() -> None:
    form = profile(body_form.start_of_parents(KINDS, "composite"), {})
    parent = {"kind": "composite", "devices": [{"kind": "c"}]}
    (devices,) = (group for group in groups(form, parent) if group.name == "devices")
    assert devices.rows[0].target.hint == ""


def test_equal_devices_are_one_row() -> None:
    form = profile(body_form.start_of_kind(KINDS, "composite"), {"/devices/0": "40xllvm"})
    assert [row.target.text for row in rows(form)] == ["40 x llvm", "", ""]
    assert rows(form)[0].inputs, "the fields of the kind"


def test_devices_have_the_fields_of_their_kinds() -> None:
    texts = {
        "/devices/0#label": "cpu",
        "/devices/0": "llvm",
        "/devices/0/num-cores": "four",
        "/devices/1#label": "npu",
        "/devices/1": "byoc",
        "/devices/1/devices/0": "ext_dev",
        "/devices/1/devices/0/model": "ethos-u55",
        "/devices/2#label": "soc",
        "/devices/2": "arm/soc",
    }
    form = invalid_form(body_form.start_of_kind(KINDS, "composite"), texts)
    cpu, npu, soc, *spare = rows(form)
    assert {"mcpu", "mattr", "num-cores"} <= {input.label for input in cpu.inputs}
    assert "codegen" in {input.label for input in npu.inputs}
    assert [input.label for input in soc.inputs] == ["Overrides, as JSON"]
    assert [row.inputs for row in spare] == [[], []]
    assert len(npu.rows) == 2, "a spare one"
    assert npu.rows[0].target.text == "ext_dev"
    markup = render_fields(form)
    assert 'value="ethos-u55"' in element_tag(markup, "f:/devices/1/devices/0/model")
    assert 'data-suggest="/suggestions?kinds=1"' in element_tag(markup, "f:/devices/3")
    assert "Options of cpu, llvm" in markup
    [error] = problems(form)
    assert error.href == "#f:/devices/0/num-cores"
    assert 'aria-invalid="true"' in element_tag(markup, "f:/devices/0/num-cores")


def test_options_of_a_changed_device_are_kept_as_json() -> None:
    composite = body_form.start_of_kind(KINDS, "composite")
    form = profile(composite, {"/devices/0": "cuda", "/devices/0/mcpu": "haswell"})
    markup = html.unescape(render_fields(form))
    assert '{"mcpu": "haswell"}' in markup.partition('name="f:/devices/0#rest"')[2]
