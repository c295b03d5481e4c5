"""What tests of the pages of actions do and check."""

from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from registry.services.versions import resolving

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def warnings(reference: str) -> list[str]:
    answer = resolving.resolve(Reference.parse(reference))
    return [warning.code for warning in answer.warnings]


def deprecate(alice: User, successor: str = "") -> None:
    name = Tag.parse(successor) if successor else None
    deprecation.deprecate(
        Tag.parse("acme/cpu"), reason="too old", successor=name, actor=Actor.operator(alice)
    )
