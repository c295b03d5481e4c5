"""Checking, publishing and proposing bodies."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from ttag.errors import TokenMissing, Unreachable
from ttag.references import Reference
from ttag.registry.connection import Connection
from ttag.resolution import Resolution
from ttag.responses.values import read, text
from ttag.responses.verdicts import Proposal, Verdict
from ttag_rules.selectors import Selector
from ttag_rules.version_number import VersionNumber


class Submitting(Connection):
    """The methods of a registry that check and send bodies.

    All raise `Refused` or `Unreachable`, and `ReferenceInvalid` before anything is sent.
    """

    def check(self, tag: str, body: Any, *, form: str = "", family: bool | None = None) -> Verdict:
        """Return what publishing a body as the next version would do, without doing it.

        `form` names the format to import the body from: `archspec`, `tvm`, `tvm-string`, `config`,
        `clang` or `iree`.
        """
        content = {"format": form, "source": body} if form else {"target": body}
        marks = {} if family is None else {"family": family}
        request = {"tag": Reference.parse(tag).name, **content, **marks}
        answer = self.post("/check", request, parameters={"include": "impact"}, write=False)
        return read(
            lambda answer: Verdict.from_json(answer, body), answer, self.source, "a verdict"
        )

    def publish(
        self,
        tag: str,
        body: Any,
        *,
        base: str,
        message: str = "",
        sources: Sequence[str] = (),
        family: bool | None = None,
    ) -> Resolution:
        """Publish a body as the next version of a tag, and return it.

        `base` is the version that was published last when the body was written, empty if there was
        none. If there is another one by now, nothing is published. The request is never repeated:
        an `Unreachable` whose `sent` is true leaves open whether the body was published. Raises
        `TokenMissing` without a token.
        """
        self.require_token("publish")
        marks = {} if family is None else {"family": family}
        request = {"target": body, "message": message, "sources": list(sources), **marks}
        precondition = {"If-Match": f'"{base}"'} if base else {"If-None-Match": "*"}
        name = Reference.parse(tag).name
        try:
            answer = self.post(f"/versions/{name}", request, headers=precondition)
            published = read(
                lambda answer: Reference(
                    name, Selector(VersionNumber.parse(text(answer["version"])).parts)
                ),
                answer,
                self.source,
                "a resolution",
            )
            return Resolution.from_json(answer, self.source, published)
        except Unreachable as error:
            if not error.sent:
                raise
            raise Unreachable(
                f"{error} Whether {name} was published is unknown: `ttag versions {name}` shows.",
                sent=True,
            ) from error

    def propose(
        self, tag: str, body: Any, *, base: str, message: str = "", sources: Sequence[str] = ()
    ) -> Proposal:
        """Submit a body for review. `base` is as in `publish`.

        The request has a key, so that it is repeated if the connection fails, but submitted once.
        """
        self.require_token("propose")
        request = {
            "tag": Reference.parse(tag).name,
            "target": body,
            "message": message,
            "sources": list(sources),
            "base": base or None,
        }
        key = {"Idempotency-Key": str(uuid.uuid4())}
        answer = self.post("/proposals", request, headers=key, write=False)
        return read(Proposal.from_json, answer, self.source, "a proposal")

    def require_token(self, scope: str) -> None:
        """Raise `TokenMissing` if there is no token for this registry."""
        if not self.token:
            raise TokenMissing(
                f"There is no token for {self.address}, and one with the scope {scope} is needed: "
                f"create it at {self.address}/me/tokens, then set TTAG_TOKEN to it or write it to "
                "~/.config/ttag/tokens.toml."
            )
