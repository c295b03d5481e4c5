"""XML responses for feeds, sitemaps and badges."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, tostring

from django.http import HttpResponse

DECLARATION = "<?xml version='1.0' encoding='utf-8'?>\n"
INVALID = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2


def replace_invalid_characters(text: str) -> str:
    """Replace the characters that XML 1.0 does not allow."""
    return INVALID.sub("\ufffd", text)


def xml_response(root: Element, media_type: str, *, status: int = 200) -> HttpResponse:
    content = tostring(root, encoding="utf-8", xml_declaration=True)
    return HttpResponse(content, content_type=media_type, status=status)
