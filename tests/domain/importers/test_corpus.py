"""Target descriptions as public projects write them, and the bodies that the importers must return.

Each file in `corpus` is a list of entries:

- `format` is the importer, `source` the text or JSON that it reads;
- `origin` is a repository or site, and a path or thread in it;
- `uses` names what an importer must understand to read the source, `notes` what it must correct
  and note, each from the sets below;
- `body` is the expected body; otherwise `refused` is the reason for rejecting the source, from
  `REFUSALS`, and `code` the code of a fault.

Kinds and code generators that only a fork of TVM has are not part of the corpus. No public target
was found that overrides a tag, has empty features or an AMD target id: the importers' own tests
cover these.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from registry.domain.errors import Refused
from registry.domain.importers import IMPORTERS
from tests.domain.builders import KINDS, target_of

CORPUS = Path(__file__).parent / "corpus"
FIELDS = {"format", "source", "origin", "uses", "notes", "body", "refused", "code"}
USES = {
    "blank",  # a name of a product with blanks
    "codegen",  # an external code generator, which becomes a byoc
    "from-device",  # an option that describes the building machine
    "name",  # a kind or a tag as text, in the importer tvm
    "python",  # a call or a literal
    "several-targets",  # separated by commas
}
NOTES = {
    "codegen-option",  # left out
    "converted-value",
    "default-model",  # which TVM's function states
    "feature-sign",  # added
    "moved-option",  # to the executor, the runtime or the flow
    "old-option",  # renamed
    "runtime-name",  # renamed
    "tvm-addition",  # left out
}
MIN_ENTRIES = 200
MAX_SHARE = 5  # at most a fifth of all entries from one source
REPOSITORIES = {"docs.tvm.ai": "apache/tvm", "tvm.apache.org": "apache/tvm"}  # of sites
REFUSALS = ("a removed kind", "a codegen alone", "it asks the building machine", "a typing error")


@dataclass(frozen=True)
class Entry:
    """An entry of the corpus; `name` is its file and its number there."""

    name: str
    fields: dict[str, Any]

    @property
    def body(self) -> dict[str, Any] | None:
        return self.fields.get("body")

    @property
    def properties(self) -> set[str]:
        return {*self.fields.get("uses", ()), *self.fields.get("notes", ())}


def load_corpus() -> list[Entry]:
    """Return all entries, by file name."""
    return [
        Entry(f"{path.stem}-{number}", fields)
        for path in sorted(CORPUS.glob("*.json"))
        for number, fields in enumerate(json.loads(path.read_text()))
    ]


ENTRIES = load_corpus()


def params(entries: Iterable[Entry]) -> list[Any]:
    """Return parameters for tests, with the names of the entries."""
    return [pytest.param(entry, id=entry.name) for entry in entries]


def expand(target: Any) -> Any:
    """Return a target with objects for words of kinds, executors and runtimes."""
    if isinstance(target, str):
        return target if "/" in target else {"kind": target}
    expanded = dict(target)
    for name in {"host", "executor", "runtime"} & target.keys():
        expanded[name] = expand(target[name])
    if "devices" in target:
        expanded["devices"] = [expand(device) for device in target["devices"]]
    return expanded


def has_reference(value: Any) -> bool:
    """Return whether a body names a tag, whose version a check would need."""
    if isinstance(value, dict):
        targets = [value.get("host"), *value.get("devices", ())]
        return "tag" in value or any(map(has_reference, targets))
    return isinstance(value, str) and "/" in value


def test_the_corpus_is_large_and_has_many_sources() -> None:
    names = [entry.fields["origin"].split()[0] for entry in ENTRIES]
    sources = Counter(REPOSITORIES.get(name, name) for name in names)
    assert len(ENTRIES) >= MIN_ENTRIES
    assert max(sources.values()) * MAX_SHARE <= len(ENTRIES), sources.most_common(3)


def test_the_corpus_has_every_property() -> None:
    properties = [name for entry in ENTRIES for name in entry.properties]
    assert set(properties) == USES | NOTES
    reasons = [entry.fields.get("refused", "") for entry in ENTRIES]
    assert all(any(reason.startswith(refusal) for reason in reasons) for refusal in REFUSALS)


def test_no_description_occurs_twice() -> None:
    texts = Counter(json.dumps(entry.fields["source"], sort_keys=True) for entry in ENTRIES)
    assert [text for text, count in texts.items() if count > 1] == []


@pytest.mark.parametrize("entry", params(ENTRIES))
def test_entries_are_complete(entry: Entry) -> None:
    fields = entry.fields
    assert fields.keys() <= FIELDS
    assert fields["format"] in IMPORTERS
    assert fields["source"]
    assert len(fields["origin"].split(maxsplit=1)) == 2
    assert ("body" in fields) != ("refused" in fields)
    assert ("refused" in fields) == ("code" in fields)
    assert set(fields.get("uses", ())) <= USES
    assert set(fields.get("notes", ())) <= NOTES
    assert entry.fields.get("refused", REFUSALS[0]).startswith(REFUSALS)


WITH_BODY = [entry for entry in ENTRIES if entry.body is not None]
CLOSED = [entry for entry in WITH_BODY if not has_reference(entry.body)]


@pytest.mark.parametrize("entry", params(CLOSED))
def test_expected_bodies_are_valid(entry: Entry) -> None:
    assert target_of(entry.body)["kind"]


@pytest.mark.parametrize("entry", params(WITH_BODY))
def test_descriptions_are_read(entry: Entry) -> None:
    imported = IMPORTERS[entry.fields["format"]].read(entry.fields["source"], KINDS)
    assert expand(imported.body) == expand(entry.body)
    assert len(imported.notes) >= len(entry.fields.get("notes", ()))


REFUSED = [entry for entry in ENTRIES if entry.body is None]


@pytest.mark.parametrize("entry", params(REFUSED))
def test_descriptions_are_refused(entry: Entry) -> None:
    """The importer rejects the source, or the checks reject its body."""
    with pytest.raises(Refused) as caught:
        target_of(IMPORTERS[entry.fields["format"]].read(entry.fields["source"], KINDS).body)
    assert entry.fields["code"] in {fault.code for fault in caught.value.faults}
