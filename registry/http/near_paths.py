"""Suggests paths near one that has no route."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver

from registry.domain.names.near_names import nearest_names


def near_paths(path: str) -> tuple[str, ...]:
    """Return up to three paths whose first segment has a route and resembles that of a path.

    The first segment of the API's paths is the one after `/api/v1/`.
    """
    for prefix, names in _first_segments():
        if path.startswith(prefix):
            segment, slash, rest = path.removeprefix(prefix).partition("/")
            near = (name for name in nearest_names(segment, names) if name != segment)
            return tuple(f"{prefix}{name}{slash}{rest}" for name in near)
    return ()


@cache
def _first_segments() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the first segments of all routes below each prefix, the longest prefix first."""
    routes = list(_routes(get_resolver().url_patterns))
    return tuple(
        (
            f"/{prefix}",
            frozenset(
                segment
                for route in routes
                if route.startswith(prefix)
                and (segment := route.removeprefix(prefix).partition("/")[0])
                and "<" not in segment
            ),
        )
        for prefix in ("api/v1/", "")
    )


def _routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for item in patterns:
        route = f"{prefix}{item.pattern}"
        if isinstance(item, URLResolver):
            yield from _routes(item.url_patterns, route)
        else:
            yield route
