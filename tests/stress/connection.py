"""HTTP connections of the clients."""

import json
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage
from typing import Any

from tests.stress.records import NO_RESPONSE

NO_HEADERS = HTTPMessage()


@dataclass(frozen=True, slots=True)
class Response:
    """A response, or with the status `NO_RESPONSE` the reason why there is none."""

    status: int
    headers: HTTPMessage
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem, the name of an exception, or the empty string."""
        if self.status == NO_RESPONSE:
            return self.body.decode()
        try:
            problem = self.json()
        except ValueError:
            return ""
        return str(problem.get("code", "")) if isinstance(problem, dict) else ""


class Connection:
    """A persistent connection to the registry, opened again after each failure."""

    def __init__(
        self, port: int, *, token: str = "", timeout: float, address: str = "127.0.0.1"
    ) -> None:
        self._http = HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(address, 0))
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str) -> Response:
        return self._send("GET", path, None, {})

    def post(self, path: str, body: object, **headers: str) -> Response:
        """Send JSON. Underscores in the names of headers become hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named["Content-Type"] = "application/json"
        return self._send("POST", path, json.dumps(body).encode(), self._headers | named)

    def close(self) -> None:
        self._http.close()

    def _send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> Response:
        try:
            self._http.request(method, path, body, headers)
            response = self._http.getresponse()
            return Response(response.status, response.headers, response.read())
        except (OSError, HTTPException) as error:
            self._http.close()
            return Response(NO_RESPONSE, NO_HEADERS, type(error).__name__.encode())
