"""Proposals: the queue, submitting, and what becomes of one."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiRequest, OpenApiResponse

from registry.api.described.publishing import (
    BODY,
    BUMP,
    DESCRIPTION,
    EITHER,
    MESSAGE,
    SOURCES,
    VERDICT,
)
from registry.api.described.words import (
    ALWAYS,
    CACHED,
    CURSOR,
    DATE,
    IF_NONE_MATCH,
    SENDING,
    TAG,
    TEXT,
    TEXTS,
    WITH_TOKEN,
    Schema,
    a_list,
    a_page,
    an_object,
    answers,
    component,
    header,
    or_null,
    with_perhaps,
)
from registry.api.wished import A_KEY, KEY
from registry.domain.errors import Code
from registry.domain.reviewing import Act, State
from registry.services.reading.proposals import ALL, STATES, UNDECIDED_WORD
from registry.services.reviewing.turns import MAX_TEXT

INTEGER: Schema = {"type": "integer"}
FLAG = or_null({"type": "boolean"})
HEAD: dict[str, Schema] = {
    "number": INTEGER,
    "url": TEXT,
    "tag": TEXT,
    "state": {"type": "string", "enum": [str(state) for state in State]},
    "submitter": TEXT,
    "created": DATE,
    "changed": DATE,
    "revision": INTEGER,
    "base": or_null(TEXT),
    "version": or_null(TEXT),
}
LISTED = component(
    "ListedProposal",
    an_object(
        **HEAD,
        message=TEXT,
        moved=FLAG,
        valid=FLAG,
        bump=BUMP,
        lints=or_null(INTEGER),
        dependents=or_null(INTEGER),
    ),
)
REVISION = component(
    "ProposalRevision",
    an_object(
        number=INTEGER,
        base=or_null(TEXT),
        created=DATE,
        message=TEXT,
        sources=TEXTS,
        target={"type": "object"},
    ),
)
TURN = component(
    "Turn",
    an_object(
        act={"type": "string", "enum": [str(act) for act in Act]},
        by=TEXT,
        at=DATE,
        revision=INTEGER,
        text=TEXT,
    ),
)
SHEET = component(
    "Proposal",
    an_object(
        **HEAD,
        asked=TEXTS,
        moved=FLAG,
        verdict=or_null(VERDICT),
        revisions=a_list(REVISION),
        history=a_list(TURN),
    ),
)
COUNTS = an_object(
    **dict.fromkeys((UNDECIDED_WORD, *(str(state) for state in State), ALL), INTEGER)
)

NUMBER = OpenApiParameter(
    "number",
    {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
    OpenApiParameter.PATH,
    description="the number of the proposal",
    examples=[OpenApiExample("the first", value=1)],
)
AGAIN = OpenApiParameter(
    KEY,
    {"type": "string", "pattern": f"^{A_KEY.pattern}$"},
    OpenApiParameter.HEADER,
    description="any text of one's own: the request sent again with it is answered, not done again",
)
SAID: Schema = {"type": "string", "maxLength": MAX_TEXT, "description": "shown to everybody"}
REASON: Schema = {**SAID, "minLength": 1}
SEEN: Schema = {"type": "integer", "minimum": 1, "description": "the newest revision, as seen"}
BASE = or_null(
    {
        "type": "string",
        "pattern": r"^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}$",
        "description": "the version last published when this was written; absent: the one now",
    }
)
WISH: dict[str, Schema] = {
    "target": BODY,
    **DESCRIPTION,
    "message": MESSAGE,
    "sources": SOURCES,
    "base": BASE,
}
OF_BODY = (
    Code.BODY_INVALID,
    Code.PARENT_INVALID,
    Code.CYCLE,
    Code.NOT_A_TARGET,
    Code.NOTHING_CHANGED,
    Code.CONFLICT,
    Code.PRECONDITION_FAILED,
)
OF_WISH = (*OF_BODY, Code.FORMAT_UNKNOWN)
REVIEWING = (*SENDING, Code.FORBIDDEN, Code.PROPOSAL_UNKNOWN, Code.CONFLICT)


def _a_request(schema: Schema, **more: Any) -> OpenApiRequest:
    return OpenApiRequest({**schema, **more, "additionalProperties": False})


def _an_act(name: str, summary: str, request: OpenApiRequest, *codes: Code) -> dict[str, Any]:
    return {
        "auth": WITH_TOKEN,
        "operation_id": name,
        "summary": summary,
        "parameters": [NUMBER, AGAIN],
        "request": request,
        "responses": answers(
            {200: OpenApiResponse(SHEET)}, (*REVIEWING, *codes), conditional=False
        ),
    }


PROPOSALS: dict[str, Any] = {
    "operation_id": "proposals",
    "summary": "Proposals, the oldest first",
    "parameters": [
        OpenApiParameter(
            "state",
            OpenApiTypes.STR,
            enum=["", *STATES],
            description="undecided, unless another is asked for; empty filters are none",
        ),
        OpenApiParameter("namespace", OpenApiTypes.STR, description="those in one namespace"),
        OpenApiParameter("tag", OpenApiTypes.STR, description="those for one tag"),
        OpenApiParameter("submitter", OpenApiTypes.STR, description="those of one person"),
        CURSOR,
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {200: OpenApiResponse(a_page(LISTED, counts=COUNTS))},
        (*ALWAYS, Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN),
    ),
}
PROPOSE: dict[str, Any] = {
    "auth": WITH_TOKEN,
    "operation_id": "propose",
    "summary": "Submit a body for review",
    "parameters": [
        AGAIN,
        header("Location", "where the proposal is", of=[201], always=True),
    ],
    "request": _a_request(
        with_perhaps(an_object(tag=TAG), **WISH),
        oneOf=EITHER,
    ),
    "responses": answers(
        {201: OpenApiResponse(SHEET)},
        (*SENDING, Code.FORBIDDEN, Code.NAMESPACE_UNKNOWN, *OF_WISH),
        conditional=False,
    ),
}
PROPOSAL: dict[str, Any] = {
    "operation_id": "proposal",
    "summary": "A proposal with its history, and what would become of it today",
    "parameters": [NUMBER, IF_NONE_MATCH, *CACHED],
    "responses": answers({200: OpenApiResponse(SHEET)}, (*ALWAYS, Code.PROPOSAL_UNKNOWN)),
}
REVISE = _an_act(
    "revise",
    "Revise one's own proposal",
    _a_request(with_perhaps(an_object(revision=SEEN), **WISH, text=SAID), oneOf=EITHER),
    *OF_WISH,
)
COMMENT = _an_act("comment", "Say something about a proposal", _a_request(an_object(text=REASON)))
ASK = _an_act(
    "ask",
    "Ask for changes of a proposal",
    _a_request(an_object(revision=SEEN, text=REASON)),
    Code.PRECONDITION_FAILED,
)
ACCEPT = _an_act(
    "accept",
    "Accept a proposal: it is published",
    _a_request(with_perhaps(an_object(revision=SEEN), text=SAID)),
    *OF_BODY,
)
ACCEPT["parameters"].append(
    header("Location", "where the new version resolves", of=[201], always=True)
)
ACCEPT["responses"][201] = ACCEPT["responses"].pop(200)
REJECT = _an_act(
    "reject",
    "Reject a proposal",
    _a_request(an_object(revision=SEEN, text=REASON)),
    Code.PRECONDITION_FAILED,
)
WITHDRAW = _an_act(
    "withdraw", "Take one's own proposal back", _a_request(with_perhaps(an_object(), text=SAID))
)
