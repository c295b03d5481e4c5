"""Words of the glossary where they first stand on a page, each with its sentence and a link.

The settings make the tags available in every template.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html

from registry.web.documents.markdown import parse, plain_text

GLOSSARY = "glossary"  # its path below /docs/
END_OF_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
EXPLAINED = "explained_terms"  # the attribute of a request with the terms of its page

register = template.Library()


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary with the first sentence about it."""

    name: str
    anchor: str
    sentence: str

    @property
    def url(self) -> str:
        """Return the address of all that the glossary says about the word."""
        return f"{reverse('document', args=[GLOSSARY])}#{self.anchor}"


@lru_cache(maxsize=1)
def glossary() -> Mapping[str, Term]:
    """Return the terms of the glossary by name; they only change with the code."""
    text = (settings.BASE_DIR / "docs" / "glossary.md").read_text(encoding="utf-8")
    tokens = parse(text)
    terms = {}
    for index, token in enumerate(tokens):
        if token.type == "paragraph_open" and "id" in token.attrs:
            name, _, about = plain_text(tokens[index + 1]).partition(":")
            sentence = END_OF_SENTENCE.split(about.strip(), maxsplit=1)[0]
            terms[name] = Term(name, str(token.attrs["id"]), sentence)
    return terms


@register.simple_tag(takes_context=True)
def term(context: Context, name: str, text: str = "") -> str:
    """Render a word of the glossary; where it first stands, as a button that explains it."""
    explained = _explained(context)
    if explained is None or name in explained:
        return text or name
    explained[name] = glossary()[name]
    return format_html(
        '<button type="button" class="term" popovertarget="term-{}">{}</button>',
        explained[name].anchor,
        text or name,
    )


@register.simple_tag(takes_context=True)
def with_term(context: Context, text: str, name: str) -> str:
    """Render a sentence, in which a word of the glossary is explained if it has it."""
    before, word, after = text.partition(name)
    return format_html("{}{}{}", before, word and term(context, name), after)


@register.inclusion_tag("registry/documents/terms.html", takes_context=True)
def explanations(context: Context) -> dict[str, Any]:
    """Render the sentences about the words that the page explains."""
    return {"terms": list((_explained(context) or {}).values())}


@register.filter
def glossary_term(name: str) -> Term | None:
    """Return the term with a name, such as that of a kind; None if the glossary has none."""
    return glossary().get(name)


def _explained(context: Context) -> dict[str, Term] | None:
    """Return the terms of the page so far; None without a request, as on plain error pages."""
    request = context.get("request")
    if request is None:
        return None
    if not hasattr(request, EXPLAINED):
        setattr(request, EXPLAINED, {})
    explained: dict[str, Term] = getattr(request, EXPLAINED)
    return explained
