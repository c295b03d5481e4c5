"""A client of a served registry, like that of a build tool."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from tests.serving import send_request

JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Registry:
    """A registry that listens on a local port."""

    port: int

    def url(self, reference: str, **parameters: str) -> str:
        """Return the URL that resolves a reference."""
        return f"http://127.0.0.1:{self.port}{path(reference, **parameters)}"

    def resolved(self, reference: str, **parameters: str) -> bytes:
        """Return the response for one reference."""
        answer = send_request(self.port, "GET", path(reference, **parameters))
        assert answer.status == 200, answer.body
        return answer.body

    def exports(self, references: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return exports in the format `tvm`, or problems, by reference."""
        payload = json.dumps({"references": list(references), "format": "tvm"}).encode()
        answer = send_request(self.port, "POST", "/api/v1/resolve", payload, **JSON)
        assert answer.status == 200, answer.body
        return dict(zip(references, json.loads(answer.body)["results"], strict=True))


def path(reference: str, **parameters: str) -> str:
    """Return the path that resolves a reference."""
    return f"/api/v1/resolve/{quote(reference)}?{urlencode(parameters)}"
