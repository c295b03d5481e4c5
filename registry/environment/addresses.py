"""URLs from environment variables: of the registry, of issuers of tokens, of contacts."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from registry.domain.identity_claims import is_trustworthy
from registry.environment.variables import comma_separated, text

CACHE = re.compile(
    r"https?://(?:[A-Za-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:/[\w.~/-]*)?", re.ASCII
)
HOST = re.compile(  # as Django compares it with the header: no scheme, port, path or pattern
    r"\*|\.?[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]", re.ASCII | re.IGNORECASE
)
PAGE = re.compile(r"https://[^\s@,]+")
CONTACT = re.compile(rf"mailto:[^\s@]+@[^\s@]+|tel:\+?[0-9-]+|{PAGE.pattern}")


def hosts(name: str, default: str) -> list[str]:
    """Return a comma-separated variable as host names; `.example.org` are all below, `*` is any."""
    expected = (
        "host names separated by commas, such as registry.example.org, without https:// or a port"
    )
    return _listed(name, default, HOST.fullmatch, expected)


def issuers(name: str, default: str) -> list[str]:
    """Return a comma-separated variable as URLs of OpenID Connect providers; none for `none`."""
    if comma_separated(name, default) == ["none"]:
        return []
    expected = "https URLs separated by commas, or be none"
    return _listed(name, default, is_trustworthy, expected)


def origin(name: str) -> str:
    """Return a variable as `https://host`, as clients write it; http for this machine only."""
    address = text(name)
    if not address:
        return ""
    if not is_trustworthy(address) or urlsplit(address).path not in ("", "/"):
        raise ImproperlyConfigured(
            f"{name} must be the https URL of the registry without a path, not {address!r}."
        )
    parts = urlsplit(address)
    default_port = {"http": ":80", "https": ":443"}[parts.scheme]
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(default_port)}"


def contacts(name: str) -> list[str]:
    """Return a comma-separated variable as URIs at which somebody can be reached (RFC 9116)."""
    expected = "mailto, https or tel URIs separated by commas"
    return _listed(name, "", CONTACT.fullmatch, expected)


def caches(name: str) -> list[str]:
    """Return a comma-separated variable as http or https URLs of caches, each of which is one."""
    urls = _listed(name, "", CACHE.fullmatch, "http or https URLs separated by commas")
    if len({*urls}) < len(urls):
        raise ImproperlyConfigured(f"{name} lists a cache twice: {', '.join(urls)}.")
    return urls


def page(name: str) -> str:
    """Return a variable as the https URL of a page; empty if absent."""
    url = text(name)
    if url and not PAGE.fullmatch(url):
        raise ImproperlyConfigured(f"{name} must be an https URL, not {url!r}.")
    return url


def _listed(name: str, default: str, is_valid: Callable[[str], object], expected: str) -> list[str]:
    items = comma_separated(name, default)
    for item in items:
        if not is_valid(item):
            raise ImproperlyConfigured(f"{name} must list {expected}, not {item!r}.")
    return items
