"""The guided form as a page shows it."""

import html
import re
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from registry.domain import guided
from registry.domain.errors import Fault, Refused
from registry.domain.guided import Start
from registry.web.submitting import fields
from registry.web.submitting.fields import Entry, Form
from tests.domain.builders import KINDS

CUDA = guided.start_of_kind(KINDS, "cuda")
BYOC = guided.start_of_kind(KINDS, "byoc")
HEIR = guided.start_of_parents(KINDS, "cuda")
PARENT: Any = {
    "kind": "cuda",
    "arch": "sm_53",
    "host": {"kind": "llvm", "mcpu": "cortex-a57"},
    "runtime": {"kind": "cpp", "system-lib": True},
    "flow": {"link-params": False},
    "hardware": {"sources": [f"https://example.org/{'x' * 60}"]},
}


def rendered(form: Form) -> str:
    return render_to_string("registry/submitting/fields/form.html", {"guided": form})


def entry(form: Form, pointer: str) -> Entry:
    (found,) = (
        each for group in form.groups for each in group.entries if each.name == f"f:{pointer}"
    )
    return found


def tag(markup: str, name: str) -> str:
    """The element that a text is typed into."""
    found = re.search(rf'<(?:input|select|textarea) id="{re.escape(name)}"[^>]*>', markup)
    assert found, name
    return found[0]


def wrong(start: Start, typed: dict[str, str]) -> Form:
    """The form after what is typed was refused."""
    with pytest.raises(Refused) as caught:
        guided.body(typed, start)
    return fields.shown(start, typed, caught.value.faults)


def test_what_was_typed_is_read_by_pointer_of_what_was_sent() -> None:
    post = QueryDict(mutable=True)
    post.update({"f:/arch": " sm_53 ", "f:": "{}", "tag": "a/b", "csrfmiddlewaretoken": "x"})
    assert fields.texts(post) == {"/arch": " sm_53 ", "": "{}"}


@pytest.mark.parametrize("word", sorted(KINDS.targets))
def test_every_field_of_every_kind_has_a_label_and_is_described_by_what_is_there(
    word: str,
) -> None:
    start = guided.start_of_kind(KINDS, word)
    markup = rendered(fields.shown(start, {}))
    ids = re.findall(r'\bid="([^"]*)"', markup)
    assert len(ids) == len(set(ids))
    named = re.findall(r'<(?:input|select|textarea) id="([^"]*)" name="([^"]*)"', markup)
    assert {name.removeprefix("f:") for _, name in named} >= set(start.fields) - {"/devices"}
    assert set(re.findall(r'<label [^>]*\bfor="([^"]*)"', markup)) == {each for each, _ in named}
    for described in re.findall(r'aria-(?:describedby|labelledby)="([^"]*)"', markup):
        assert set(described.split()) <= set(ids)


def test_numbers_are_typed_as_text_and_said_in_words() -> None:
    form = fields.shown(CUDA, {"/max_shared_memory_per_block": "49152"})
    markup = rendered(form)
    element = tag(markup, "f:/max_shared_memory_per_block")
    assert 'inputmode="numeric"' in element
    assert 'value="49152"' in element
    assert "type=" not in element
    assert "bytes = 48 KiB" in markup
    warp = entry(form, "/thread_warp_size")
    assert warp.said == "integer, 1 to 1,024 · read by tuning · in tuning keys"
    assert (warp.hint, warp.unit) == ("default: 32", "threads")
    assert entry(form, "/mcpu").said == "in tuning keys"
    assert entry(form, "/max_num_threads").said.endswith("deprecated")
    assert entry(form, "/executor/interface-api").said == "of aot · read by graph-executor"
    assert entry(form, "/hardware/cores").said == "integer, 1 or more"


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
    assert [(error.href, error.label) for error in form.errors] == [
        ("#f:/thread_warp_size", "thread_warp_size"),
        ("#f:/hardware/cores", "cores"),
    ]
    assert form.errors[0].text == said
    assert entry(form, "/thread_warp_size").errors == (said,)
    element = tag(markup, "f:/thread_warp_size")
    assert 'aria-invalid="true"' in element
    assert 'aria-describedby="f:/thread_warp_size-error ' in element
    assert html.escape(said) in markup


def test_what_is_wrong_with_the_whole_is_in_the_summary_alone() -> None:
    form = fields.shown(CUDA, {}, [Fault("", "HOST_DEPENDENT", "it depends on its host")])
    assert form.errors == (fields.Error("", "", "it depends on its host."),)


def test_what_is_missing_is_shown_where_it_belongs() -> None:
    fault = Fault("", "OPTION_MISSING", "the option codegen is missing", "codegen")
    form = fields.shown(BYOC, {}, [fault])
    assert entry(form, "/codegen").errors == ("the option codegen is missing.",)
    assert 'aria-required="true"' in tag(rendered(form), "f:/codegen")


def folded(form: Form) -> dict[str, bool]:
    return {group.name: group.is_open for group in form.groups if group.is_folded}


def test_folded_groups_open_where_something_is_typed_or_wrong() -> None:
    assert not any(folded(fields.shown(CUDA, {})).values())
    form = fields.shown(
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
    assert entry(fields.shown(HEIR, {}, inherited=PARENT), pointer).hint == said


def test_without_a_parent_at_hand_an_empty_field_is_inherited() -> None:
    form = fields.shown(HEIR, {})
    assert entry(form, "/arch").hint == "inherited"
    assert [choice.label for choice in entry(form, "/flow/link-params").choices] == [
        *("inherited", "yes", "no")
    ]


def test_choices_begin_with_none_and_say_the_default() -> None:
    vulkan = fields.shown(guided.start_of_kind(KINDS, "vulkan"), {"/supports_int8": "false"})
    assert [choice.label for choice in entry(vulkan, "/supports_float32").choices] == [
        *("not stated (default: yes)", "yes", "no")
    ]
    chosen = [choice.text for choice in entry(vulkan, "/supports_int8").choices if choice.is_chosen]
    assert chosen == ["false"]
    webgpu = fields.shown(guided.start_of_kind(KINDS, "webgpu"), {})
    assert [choice.text for choice in entry(webgpu, "/thread_warp_size").choices] == ["", "1", "32"]


def rows(form: Form) -> tuple[fields.Row, ...]:
    return form.groups[0].rows


def test_devices_are_rows_with_some_to_spare() -> None:
    assert len(rows(fields.shown(BYOC, {}))) == 3
    typed = {"/devices/4#label": "gpu", "/devices/4": '{\n"kind": "c"}', "/devices/63x": "c"}
    form = fields.shown(BYOC, typed)
    assert len(rows(form)) == 7
    assert rows(form)[4].label.text == "gpu"
    assert rows(form)[4].target.lines == 3
    assert len(rows(fields.shown(BYOC, {"/devices/63": "c", "/devices/64": "c"}))) == 64


def test_what_is_wrong_with_a_device_stands_in_its_row() -> None:
    typed = {"/devices/1#label": "gpu", "/devices/1": "arm/soc@1"}
    form = fields.shown(BYOC, typed, [Fault("/devices/gpu/mcpu", "X", "no such thing")])
    assert [row.errors for row in rows(form)] == [(), ("no such thing.",), (), ()]
    markup = rendered(form)
    for name in ("f:/devices/1", "f:/devices/1#label"):
        assert 'aria-describedby="f:/devices/1-error"' in tag(markup, name)
    assert form.errors[0].href == "#f:/devices/1"


def test_long_texts_have_room() -> None:
    typed = {"/keys": ", ".join(["abcdefgh"] * 20), "": "{\n" + "\n" * 99 + "}"}
    form = fields.shown(CUDA, typed)
    assert entry(form, "/keys").lines == 5
    assert entry(form, "").lines == 20
    assert entry(form, "/arch").lines == 0
