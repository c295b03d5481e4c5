"""Values of forms, as a browser sends them back."""

import html
import re


def hidden_value(markup: str, name: str) -> str:
    """Return the value of the first hidden field with a name."""
    field = re.search(f'type="hidden" name="{name}" value="([^"]*)"', markup)
    assert field, f"there is no hidden field {name}"
    return html.unescape(field[1])
