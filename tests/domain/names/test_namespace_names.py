"""Names that a namespace can have."""

import pytest

from registry.domain.names import namespace_names
from registry.domain.names.namespace_names import MAX_NAMESPACE, RESERVED
from ttag_rules.names import COMPONENT


def messages(name: str, *others: str) -> list[str]:
    faults = [
        *namespace_names.form_faults(name),
        *namespace_names.reserved_faults(name),
        *namespace_names.taken_faults(name, others),
    ]
    assert {fault.pointer for fault in faults} <= {"/name"}
    return [fault.message for fault in faults]


@pytest.mark.parametrize("name", ["initech", "x", "3m", "milk-v", "u.s-robotics", "a" * 64])
def test_a_component_is_accepted(name: str) -> None:
    assert messages(name, "nvidia") == []


@pytest.mark.parametrize("name", ["Initech", "-x", "a/b", "a b", "é", "a" * (MAX_NAMESPACE + 1)])
def test_another_form_is_rejected(name: str) -> None:
    (message,) = [fault.message for fault in namespace_names.form_faults(name)]
    assert message.endswith("is not a valid namespace")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("admin", "admin is reserved"),
        ("gpu", "gpu is reserved"),
        ("adm1n", "adm1n looks like admin, which is reserved"),
        ("off-icial", "off-icial looks like official, which is reserved"),
    ],
)
def test_reserved_names_and_their_look_alikes_are_rejected(name: str, message: str) -> None:
    assert messages(name) == [message]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nvidia", "the namespace nvidia exists; it can be claimed"),
        ("n-vidia", "n-vidia looks like nvidia, which exists"),
        ("nv1dia", "nv1dia looks like nvidia, which exists"),
        ("nvldia", "nvldia looks like nvidia, which exists"),
        ("arrn", "arrn looks like arm, which exists"),
    ],
)
def test_existing_names_and_their_look_alikes_are_rejected(name: str, message: str) -> None:
    assert messages(name, "nvidia", "arm") == [message]


@pytest.mark.parametrize("name", ["nvida", "amd", "arms"])
def test_near_spellings_are_left_to_staff(name: str) -> None:
    assert messages(name, "nvidia", "arm") == []


def test_every_reserved_name_could_be_a_namespace() -> None:
    assert [name for name in sorted(RESERVED) if not COMPONENT.fullmatch(name)] == []
