"""The inputs of the guided form, as a page shows them."""

import html
import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.forms import BoundField
from django.http import QueryDict
from django.template.loader import render_to_string

from registry.domain import body_form
from registry.domain.body_form import Start
from registry.domain.errors import Code, Fault, Refused
from registry.web.proposals.submit import form_data, inputs
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.profile_form import ProfileForm
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
    "hardware": {"sources": [f"https://example.org/{'x' * 60}"]},
}


def profile(start: Start, typed: dict[str, str], faults: Sequence[Fault] = ()) -> ProfileForm:
    """The form with what is typed and what is wrong with it."""
    named = {f"f:{pointer}": text for pointer, text in typed.items()}
    form = ProfileForm(form_data.profile(named), start)
    if faults:
        form.refuse(Part.BODY, Refused(Code.BODY_INVALID, "", faults=faults))
    return form


def rendered(form: ProfileForm) -> str:
    return render_to_string("registry/submit/fields/form.html", {"form": form})


def entry(form: ProfileForm, pointer: str) -> Any:
    return form[f"f:{pointer}"]


def choices(form: ProfileForm, pointer: str) -> dict[str, str]:
    """The values that can be chosen, with their labels."""
    bound = entry(form, pointer)
    bound.as_widget()
    return dict(bound.field.widget.choices)


def tag(markup: str, name: str) -> str:
    """The element that a text is typed into."""
    pattern = rf'<(?:input|select|textarea)[^>]* name="{re.escape(name)}"[^>]*>'
    found = re.search(pattern, markup)
    assert found, name
    assert f' id="{name}"' in found[0]
    return found[0]


def wrong(start: Start, typed: dict[str, str]) -> ProfileForm:
    """The form after what is typed was refused."""
    form = profile(start, typed)
    assert form.attempt(Part.BODY, lambda: form.source) is None
    return form


def test_what_was_typed_is_read_by_pointer_of_what_was_sent() -> None:
    post = QueryDict(mutable=True)
    post.update({"f:/arch": " sm_53 ", "f:": "{}", "tag": "a/b", "csrfmiddlewaretoken": "x"})
    assert inputs.texts(form_data.profile(post)) == {"/arch": " sm_53 ", "": "{}"}


@pytest.mark.parametrize("word", sorted(KINDS.targets))
def test_every_field_of_every_kind_has_a_label_and_is_described_by_what_is_there(
    word: str,
) -> None:
    start = body_form.start_of_kind(KINDS, word)
    markup = rendered(profile(start, {}))
    ids = re.findall(r'\bid="([^"]*)"', markup)
    assert len(ids) == len(set(ids))
    elements = re.findall(r"<(?:input|select|textarea) [^>]*>", markup)
    named = [re.findall(r' (?:id|name)="([^"]*)"', element)[::-1] for element in elements]
    assert {name.removeprefix("f:") for _, name in named} >= set(start.fields) - {"/devices"}
    assert set(re.findall(r'<label [^>]*\bfor="([^"]*)"', markup)) == {each for each, _ in named}
    for described in re.findall(r'aria-(?:describedby|labelledby)="([^"]*)"', markup):
        assert set(described.split()) <= set(ids)


def test_numbers_are_typed_as_text_and_said_in_words() -> None:
    form = profile(CUDA, {"/max_shared_memory_per_block": "49152"})
    markup = rendered(form)
    element = tag(markup, "f:/max_shared_memory_per_block")
    assert 'inputmode="numeric"' in element
    assert 'value="49152"' in element
    assert 'type="text"' in element
    assert "bytes = 48 KiB" in markup
    warp = entry(form, "/thread_warp_size")
    assert warp.field.description == "integer, 1 to 1,024 · read by tuning · in tuning keys"
    assert (warp.hint, warp.unit) == ("default: 32", "threads")
    assert entry(form, "/mcpu").field.description == "in tuning keys"
    assert entry(form, "/max_num_threads").field.description.endswith("deprecated")
    components = entry(form, "/executor/interface-api").field
    assert components.description == "of aot · read by graph-executor"
    assert entry(form, "/hardware/cores").field.description == "integer, 1 or more"


def test_nothing_typed_is_lost_however_wrong() -> None:
    typed = {
        "/arch": '"><script>alert(1)</script>',
        "/thread_warp_size": "twelve",
        "/executor": "aott",
        "/host/mfloat-abi": "medium",
        "/keys": "a,\r\nb",
        "/flow/link-params": "perhaps",
        "": "\n</textarea>{",
    }
    markup = rendered(wrong(CUDA, typed))
    assert "<script>" not in markup
    assert 'value="twelve"' in tag(markup, "f:/thread_warp_size")
    for text in typed.values():
        assert text in html.unescape(markup)
    for chosen in ("aott", "medium", "perhaps"):
        assert f'<option value="{chosen}" selected>' in markup
    assert ">\n\n&lt;/textarea&gt;{</textarea>" in markup  # the parser takes one end of a line


def test_what_is_wrong_stands_at_its_field_and_in_the_summary() -> None:
    form = wrong(CUDA, {"/thread_warp_size": "1,024", "/hardware/cores": "4.0"})
    markup = rendered(form)
    said = '"1,024" is not an integer. Expected: digits only, in threads. Did you mean 1024?'
    assert [(error.href, error.label) for error in form.problems] == [
        ("#f:/thread_warp_size", "thread_warp_size"),
        ("#f:/hardware/cores", "cores"),
    ]
    assert form.problems[0].message == said
    assert entry(form, "/thread_warp_size").errors == [said]
    element = tag(markup, "f:/thread_warp_size")
    assert 'aria-invalid="true"' in element
    assert 'aria-describedby="f:/thread_warp_size_error ' in element
    assert html.escape(said) in markup


def test_what_is_wrong_with_the_whole_is_in_the_summary_alone() -> None:
    form = profile(CUDA, {}, [Fault("", "HOST_DEPENDENT", "it depends on its host")])
    (error,) = form.problems
    assert (error.message, error.href, error.label) == ("it depends on its host.", "", "")


def test_what_is_missing_is_shown_where_it_belongs() -> None:
    fault = Fault("", "OPTION_MISSING", "the option codegen is missing", "codegen")
    form = profile(BYOC, {}, [fault])
    assert entry(form, "/codegen").errors == ["the option codegen is missing."]
    assert 'aria-required="true"' in tag(rendered(form), "f:/codegen")


def folded(form: ProfileForm) -> dict[str, bool]:
    return {group.name: group.is_open for group in form.groups if group.is_folded}


def test_folded_groups_open_where_something_is_typed_or_wrong() -> None:
    assert not any(folded(profile(CUDA, {})).values())
    form = profile(
        CUDA,
        {"/host/mcpu": "x", "": "{}"},
        [Fault("/hardware/cores", "VALUE_TYPE", "no"), Fault("/flow/x.y", "X", "no")],
    )
    assert {name for name, is_open in folded(form).items() if is_open} == {
        *("host-options", "hardware", "rest")
    }
    assert rendered(form).count('<details class="sheet-body" open>') == 3
    assert "(1 stated)" in rendered(form)


@pytest.mark.parametrize(
    ("pointer", "said"),
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
def test_an_empty_field_says_what_is_inherited(pointer: str, said: str) -> None:
    form = profile(HEIR, {})
    form.inherited = PARENT
    assert entry(form, pointer).hint == said


def test_without_a_parent_at_hand_an_empty_field_is_inherited() -> None:
    form = profile(HEIR, {})
    assert entry(form, "/arch").hint == "inherited"
    assert list(choices(form, "/flow/link-params").values()) == ["inherited", "yes", "no"]


def test_choices_begin_with_none_and_say_the_default() -> None:
    vulkan = profile(body_form.start_of_kind(KINDS, "vulkan"), {"/supports_int8": "false"})
    assert list(choices(vulkan, "/supports_float32").values()) == [
        *("not stated (default: yes)", "yes", "no")
    ]
    chosen = re.findall(r'value="([^"]*)" selected', str(entry(vulkan, "/supports_int8")))
    assert chosen == ["false"]
    webgpu = profile(body_form.start_of_kind(KINDS, "webgpu"), {})
    assert list(choices(webgpu, "/thread_warp_size")) == ["", "1", "32"]


def rows(form: ProfileForm) -> tuple[tuple[BoundField, BoundField], ...]:
    return form.groups[0].rows


def test_devices_are_rows_with_some_to_spare() -> None:
    assert len(rows(profile(BYOC, {}))) == 3
    typed = {"/devices/4#label": "gpu", "/devices/4": '{\n"kind": "c"}', "/devices/63x": "c"}
    form = profile(BYOC, typed)
    assert len(rows(form)) == 7
    assert rows(form)[4][0].value() == "gpu"
    assert 'rows="3"' in str(rows(form)[4][1])
    assert len(rows(profile(BYOC, {"/devices/63": "c", "/devices/64": "c"}))) == 64


def test_what_is_wrong_with_a_device_stands_in_its_row() -> None:
    typed = {"/devices/1#label": "gpu", "/devices/1": "arm/soc@1"}
    form = profile(BYOC, typed, [Fault("/devices/gpu/mcpu", "X", "no such thing")])
    assert [target.errors for _, target in rows(form)] == [[], ["no such thing."], [], []]
    markup = rendered(form)
    for name in ("f:/devices/1", "f:/devices/1#label"):
        assert 'aria-describedby="f:/devices/1_error"' in tag(markup, name)
    assert form.problems[0].href == "#f:/devices/1"


def test_long_texts_have_room() -> None:
    typed = {"/keys": ", ".join(["abcdefgh"] * 20), "": "{\n" + "\n" * 99 + "}"}
    form = profile(CUDA, typed)
    assert 'rows="5"' in str(entry(form, "/keys"))
    assert 'rows="20"' in str(entry(form, ""))
    assert "<input " in str(entry(form, "/arch"))


def test_missing_devices_are_wrong_at_the_first_row() -> None:
    composite = body_form.start_of_kind(KINDS, "composite")
    form = profile(composite, {}, [Fault("", "OPTION_MISSING", "devices is missing", "devices")])
    assert rows(form)[0][1].errors == ["devices is missing."]
    assert form.problems[0].href == "#f:/devices/0"


def test_a_row_of_devices_does_not_say_what_is_inherited() -> None:
    form = profile(body_form.start_of_parents(KINDS, "composite"), {})
    form.inherited = {"kind": "composite", "devices": [{"kind": "c"}]}
    _, devices = form.groups[:2]
    assert "placeholder" not in str(devices.rows[0][1])
