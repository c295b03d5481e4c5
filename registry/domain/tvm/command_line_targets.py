"""Read a command line of one or more targets as a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.importing import Imported, refuse_large_text
from registry.domain.kinds.kinds import Kinds
from registry.domain.resolution.resolution import MAX_NODES
from registry.domain.tvm import codegen_options
from registry.domain.tvm.command_line import SPACE, Text, Unreadable, parse_options, split_targets
from registry.domain.tvm.command_line_target import TAG, LineReader
from registry.domain.tvm.json_target import TargetReader
from registry.domain.tvm.moved_options import PARTS, states_runtime
from registry.domain.tvm.removed_options import EXTERNAL
from registry.domain.tvm.source_locations import WHOLE
from registry.domain.tvm.target_list import (
    CodeGenerator,
    Entry,
    as_body,
    composite_of,
    describe,
    find_host,
)
from ttag_rules.pointer import ROOT, child


def read_line(source: str, kinds: Kinds) -> Imported:
    """Read a command line. Raises `Refused` with all faults, which have positions in the line."""
    refuse_large_text(source)
    reader = TargetReader(kinds)
    line = LineReader(kinds, reader.findings, WHOLE)
    targets = split_targets(
        Text.of_shell_line(source),
        lambda word: word in kinds.targets or word in EXTERNAL or bool(TAG.match(word)),
    )
    if len(targets) > MAX_NODES:
        message = f"The line has {len(targets)} targets: at most {MAX_NODES}."
        raise Refused(Code.TOO_LARGE, message)
    if len(targets) == 1:
        reader.findings.locations[ROOT] = WHOLE
        target = line.target(targets[0], ROOT)
        refuse_all(reader.findings.faults)
        body = reader.root(target if isinstance(target, dict) else {"tag": target}, ROOT)
    else:
        body = _read_several(targets, line, reader)
    refuse_all(reader.findings.faults)
    return Imported(body, tuple(reader.findings.notes))


def _read_several(
    targets: Sequence[Text], line: LineReader, reader: TargetReader
) -> dict[str, Json]:
    """Return the composite of several targets."""
    nodes: list[Entry | None] = []
    for index, text in enumerate(targets):
        pointer = _device(index)
        label = f"the target at character {text.stripped().place}"
        reader.findings.locations[pointer] = WHOLE.within(label, text.stripped().position())
        nodes.append(_entry(text, pointer, line, reader))
    has_runtime = any(states_runtime(node) for node in nodes if isinstance(node, dict))
    entries = [
        reader.body(node, _device(index), has_runtime=has_runtime)
        if isinstance(node, dict)
        else node
        for index, node in enumerate(nodes)
    ]
    known = [entry for entry in entries if entry is not None]
    if all(isinstance(entry, CodeGenerator) for entry in entries):
        names = ", ".join(map(describe, known))
        message = f"{names}: an external code generator needs an ordinary target"
        line.report(Fault(ROOT, "OPTION_MISSING", message, "a target such as llvm, after a comma"))
    _refuse_contradictions(known, line)
    refuse_all(reader.findings.faults)
    _note_roles(known, line)
    return composite_of(known)


def _entry(text: Text, pointer: str, line: LineReader, reader: TargetReader) -> Entry | None:
    """Return one of several targets, with old options; None if it is invalid."""
    try:
        words = text.split(SPACE)
    except Unreadable as problem:
        line.report(problem.fault)
        return None
    if words and words[0].characters in EXTERNAL:
        return _code_generator(words, line)
    target = reader.target(line.target(text, pointer), pointer)
    return target if isinstance(target, (dict, str)) else None


def _device(index: int) -> str:
    return child(child(ROOT, "devices"), index)


def _code_generator(words: Sequence[Text], line: LineReader) -> CodeGenerator:
    """Return a code generator with its options as settings of the flow; note the others."""
    name = words[0].characters
    settings: dict[str, Json] = {}
    for option in parse_options(words[1:], line.report):
        try:
            value = codegen_options.option_value(name, option)
        except Unreadable as problem:
            line.report(replace(problem.fault, message=f"{option}: {problem.fault.message}"))
            continue
        setting = codegen_options.setting_name(name, option.name)
        if value is not None:
            line.note(f"{option} is {setting} in the flow")
            settings[setting] = value
            continue
        text = "" if option.is_bare else f"={echo(option.value.characters)}"
        line.note(
            f"{option} is left out: the code generator {name} was configured with "
            f"{option.name}{text}, for which the flow has no setting"
        )
    return CodeGenerator(name, settings)


def _refuse_contradictions(entries: Sequence[Entry], line: LineReader) -> None:
    """Report settings of a code generator that is listed twice, differently."""
    settings: dict[str, Json] = {}
    generators = (entry for entry in entries if isinstance(entry, CodeGenerator))
    for name, value in (item for entry in generators for item in entry.settings.items()):
        if settings.setdefault(name, value) != value:
            message = f"{name} is {echo(settings[name])}, and also {echo(value)}"
            line.report(Fault(ROOT, "OPTION_TWICE", message, "one of them"))


def _note_roles(entries: Sequence[Entry], line: LineReader) -> None:
    """Note which targets became hosts and byocs."""
    last = [entry for entry in entries if not isinstance(entry, CodeGenerator)][-1]
    for entry in entries:
        if isinstance(entry, CodeGenerator):
            line.note(
                f"{entry.name} is an external code generator: a byoc around {describe(last)}, "
                "enabled in the flow"
            )
    index = find_host(entries)
    if index is not None:
        moved = [name for name in PARTS if name in as_body(entries[index])]
        detail = f"; all targets share its {' and '.join(moved)}" if moved else ""
        line.note(f"{describe(entries[index])} is the only CPU, and so also the host{detail}")
