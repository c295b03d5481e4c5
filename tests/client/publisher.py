"""A registry of its own to publish in, while a client uses it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from ttag import Refused, Registry

HASWELL: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "x86_64-unknown-linux-gnu",
    "mcpu": "haswell",
    "num-cores": 4,
}
# Against HASWELL: the first keeps the build key, the second the tuning keys, the last neither.
PATCH = HASWELL | {"hardware": {"vendor": "Acme"}}
MINOR = HASWELL | {"executor": "aot"}
MAJOR = HASWELL | {"mcpu": "skylake"}


@dataclass
class Publisher:
    """Publishes in the namespace acme of a served registry."""

    address: str
    token: str = field(repr=False)
    _numbers: Iterator[int] = field(default_factory=count)

    def new_tag(self, *targets: dict[str, Any]) -> str:
        """Publish targets as the versions of a new tag, and return its name."""
        tag = f"acme/board-{next(self._numbers)}"
        for target in targets:
            self.publish(tag, target)
        return tag

    def publish(self, tag: str, target: dict[str, Any], message: str = "") -> str:
        """Publish the next version of a tag, and return its number."""
        try:
            last = self._registry.get(f"/tags/{tag}")["last_published"]
            condition = {"If-Match": f'"{last}"'}
        except Refused:
            condition = {"If-None-Match": "*"}
        body = {"target": target, "message": message, "sources": []}
        answer = self._registry.post(f"/versions/{tag}", body, headers=condition)
        return str(answer["version"])

    def yank(self, reference: str, reason: str) -> None:
        """Yank a version."""
        self._registry.post(f"/yank/{reference}", {"reason": reason})

    def point(self, alias: str, reference: str) -> None:
        """Point an alias at a reference."""
        transport, body = self._registry.transport, {"reference": reference}
        transport.request("PUT", f"/api/v1/aliases/{alias}", body=body, authorized=True)

    def deprecate(self, tag: str, reason: str, successor: str) -> None:
        """Deprecate a tag."""
        self._registry.post(f"/deprecate/{tag}", {"reason": reason, "successor": successor})

    @property
    def _registry(self) -> Registry:
        return Registry(self.address, self.token)
