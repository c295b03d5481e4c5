"""HTTP with the standard library: proxies, time limits, retries, and nothing taken on trust."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from ttag.errors import NotFound, Refused, TtagError, Unreachable
from ttag.http.deadline import Deadline, LimitedHandler
from ttag.version import __version__

MAX_RESPONSE = 64 * 1024 * 1024  # bytes; the registry's largest response, a diff, has 23 MB
CHUNK = 64 * 1024
ATTEMPTS = 3
LONGEST_WAIT = 60.0  # seconds; a registry that asks for more gets an error instead
PATIENCE = 4.0  # times the timeout: for all the waiting that a registry asks for
RETRIED = frozenset({429, 502, 503, 504})
PROBLEM = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Response:
    """A response with its whole body. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """The media type without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True)
class Transport:
    """Requests to one registry, or to what `subject` calls it. Several threads may share it.

    `address` has no slash at its end. `timeout` is in seconds, for a whole answer with all
    redirects and attempts, from connecting to the last byte; only looking up the host's name is up
    to the system. What a registry asks to wait comes on top, up to four times as much. `sleep`
    waits between attempts. With `no_cache`, caches on the way pass requests on to the registry.
    """

    address: str
    token: str = field(default="", repr=False)
    timeout: float = 15.0
    sleep: Callable[[float], None] = time.sleep
    subject: str = "registry"
    no_cache: bool = False

    def request(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        authorized: bool = False,
        repeatable: bool = True,
    ) -> Response:
        """Send a GET or POST and return a response with status 2xx or 304.

        Connection errors and statuses that pass are retried if the request is `repeatable`; only
        429 and 503, after which nothing was done, are always retried. Raises `Refused` for a
        problem of the registry, and `Unreachable` for anything that no registry sends.
        """
        request = self._request(method, path, body, headers or {}, authorized=authorized)
        deadline = Deadline.after(self.timeout)
        patience = min(LONGEST_WAIT, PATIENCE * self.timeout)
        for attempt in range(1, ATTEMPTS + 1):
            backoff = 0.2 * float(4 ** (attempt - 1))
            try:
                response = self._send(request, deadline)
            except _Redirected as redirect:
                raise self._unusable(
                    f"redirects to {redirect}; if that is its address, set it as the registry",
                    sent=False,
                ) from None
            except Unreachable:
                if attempt == ATTEMPTS or not repeatable or not deadline.allows(backoff):
                    raise
                self.sleep(backoff)
                continue
            retried = response.status in RETRIED and (repeatable or response.status in {429, 503})
            if not retried or attempt == ATTEMPTS:
                break
            wait = _retry_after(response)
            if wait is None:
                wait = backoff
            else:
                patience -= wait
                deadline.postpone(wait)
            if patience < 0 or not deadline.allows(wait):
                break
            self.sleep(wait)
        if response.status == HTTPStatus.NOT_MODIFIED or response.status // 100 == 2:
            return response
        raise self._error(response)

    def request_json(self, method: str, path: str, **options: Any) -> Any:
        """Send a request and return the JSON of the response. Raises as `request` does."""
        response = self.request(method, path, **options)
        return self.json(response)

    def json(self, response: Response) -> Any:
        """Return the JSON of a response. Raises `Unreachable` if it is something else."""
        if not response.media_type.endswith("json"):
            what = response.media_type or "no media type"
            raise self._unusable(f"responded with {what} instead of JSON")
        try:
            return json.loads(response.body)
        except (ValueError, RecursionError) as error:
            raise self._unusable("sent invalid JSON") from error

    def _request(
        self,
        method: str,
        path: str,
        body: object,
        headers: Mapping[str, str],
        *,
        authorized: bool,
    ) -> Request:
        all_headers = {"User-Agent": f"ttag/{__version__}", **headers}
        if self.no_cache:
            all_headers["Cache-Control"] = "no-cache"  # RFC 9111, 5.2.1.4
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            all_headers["Content-Type"] = "application/json"
        request = Request(  # noqa: S310 - check_address admits http and https only
            f"{self.address}{path}", data, all_headers, method=method
        )
        if authorized and self.token:
            # Unlike other headers, these are left out when a redirect is followed.
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        return request

    def _send(self, request: Request, deadline: Deadline) -> Response:
        try:
            with _opener(deadline).open(request) as answer:
                return self._read(answer)
        except HTTPError as error:
            with error:
                return self._read(error)
        except URLError as error:
            # The connection failed, or the request could not be sent completely.
            raise self._unusable(_reason(error.reason), sent=False) from error
        except ValueError as error:
            # An address, of the registry or of a redirect, of which no URL or host can be made.
            raise self._unusable(f"has no usable address: {error}", sent=False) from error
        except (HTTPException, OSError) as error:
            raise self._unusable(_reason(error)) from error

    def _read(self, answer: HTTPResponse | HTTPError) -> Response:
        """Read the whole body, within a limit of its size."""
        chunks, size = [], 0
        expected = answer.headers.get("Content-Length", "")
        try:
            while chunk := answer.read1(CHUNK):
                chunks.append(chunk)
                size += len(chunk)
                if size > MAX_RESPONSE:
                    raise self._unusable(f"sent more than {MAX_RESPONSE} bytes")
        except (HTTPException, OSError) as error:
            raise self._unusable(_reason(error)) from error
        status = answer.status or 0
        if expected.isdecimal() and size < int(expected) and status != HTTPStatus.NOT_MODIFIED:
            raise self._unusable(f"closed the connection after {size} of {expected} bytes")
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Response(status, headers, b"".join(chunks))

    def _error(self, response: Response) -> TtagError:
        """Return the error that a response with an error status means."""
        if response.media_type != PROBLEM:
            what = f"responded with status {response.status}"
            is_missing = response.status == HTTPStatus.NOT_FOUND
            return self._unusable(what, NotFound if is_missing else Unreachable)
        problem = self.json(response)
        if not isinstance(problem, dict):
            return self._unusable("sent an error that is not a problem of RFC 9457")
        refusal = refusal_from(problem, response.status)
        if response.status >= 500:
            return self._unusable(
                f"responded with status {response.status}: {refusal.message}",
                sent=response.status != HTTPStatus.SERVICE_UNAVAILABLE,
            )
        return refusal

    def _unusable(
        self, what: str, kind: type[Unreachable] = Unreachable, *, sent: bool = True
    ) -> Unreachable:
        host = urlsplit(self.address).netloc
        return kind(f"The {self.subject} {host} {what.rstrip('.')}.", sent=sent)


def refusal_from(problem: Mapping[str, Any], status: int = 0) -> Refused:
    """Return the error that a problem document describes, with its first fault if it has any."""
    faults = [fault for fault in _list(problem.get("errors")) if isinstance(fault, dict)]
    detail = str(problem.get("detail") or problem.get("title") or "The registry refused this.")
    near = [name for name in _list(problem.get("suggestions")) if isinstance(name, str)]
    stated = problem.get("status")
    return Refused(
        " ".join(detail.split()),
        code=str(problem.get("code", "")),
        status=status or (stated if isinstance(stated, int) else 0),
        suggestions=near,
        faults=faults,
    )


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _retry_after(response: Response) -> float | None:
    """Return the seconds to wait, which a server states as a number or as a date."""
    text = response.headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _reason(error: object) -> str:
    if isinstance(error, TimeoutError):
        return "did not respond in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"has a certificate that is not valid: {error.verify_message}"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be reached: {error.strerror}"
    if isinstance(error, HTTPException | OSError):
        return f"closed the connection or does not speak HTTP: {str(error) or type(error).__name__}"
    return f"cannot be reached: {error}"


def _opener(deadline: Deadline) -> OpenerDirector:
    """Return what opens http and https, nothing else, by the proxies that the environment names."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        LimitedHandler(deadline),
        _Redirects(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
        UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


class _Redirected(Exception):
    """A redirect that is not followed; its text is the address."""


class _Redirects(HTTPRedirectHandler):
    """Follows redirects of reads within a host; never from https to http."""

    def redirect_request(  # noqa: PLR0917 - the signature of the library
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        secure = new.scheme in {old.scheme, "https"}
        if req.get_method() != "GET" or new.hostname != old.hostname or not secure:
            raise _Redirected(f"{new.scheme}://{new.netloc}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
