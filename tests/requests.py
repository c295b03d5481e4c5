"""Requests for namespaces, as most tests make them."""

from typing import Any

from registry.models import NamespaceRequest, RequestKind, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import requests
from registry.services.namespaces.requests import RequestTexts

TEXTS = {
    "url": "https://initech.example/",
    "reason": "Our boards.",
    "evidence": "See https://initech.example/registry.txt",
}


def request_namespace(name: str, user: User, **changes: Any) -> NamespaceRequest:
    """Ask for a new namespace."""
    texts = RequestTexts(name=name, **{"title": "Initech", **TEXTS, **changes})
    return requests.submit(RequestKind.NEW, texts, actor=Actor.operator(user))


def claim(name: str, user: User, **changes: Any) -> NamespaceRequest:
    """Claim a namespace that exists."""
    texts = RequestTexts(name=name, **{**TEXTS, **changes})
    return requests.submit(RequestKind.CLAIM, texts, actor=Actor.operator(user))
