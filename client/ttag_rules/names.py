"""Names, which are tags and aliases: the part of a reference before the `@`.

tag       = name [ ":" variant ]
name      = component ( "/" component )+
"""

from __future__ import annotations

import re

from ttag_rules.echo import echo

MAX_TAG = 183  # with "@sha256:" and 64 hex digits a reference then has at most 255 characters
MAX_REFERENCE = 255
RESERVED_ENDINGS = (".json", ".atom", ".svg")  # file extensions in URLs next to a tag's page

COMPONENT = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")  # the OCI repository grammar
VARIANT = re.compile(r"(?!.*\.\.)[a-z0-9_][a-z0-9._-]{0,63}(?<!\.)")
ALIAS = re.compile(r"[!-~]+")
NOT_IN_ALIAS = frozenset("@?#%\\")
DOT_SEGMENTS = frozenset({".", ".."})  # whoever reads a URL may remove them (RFC 3986, 5.2.4)
# Tags and selectors cannot contain it; `alias_problem` rejects it in aliases.
PAIR_SEPARATOR = "..."

EXPECTED = "namespace/name[:variant][@version], such as nvidia/jetson-nano:cuda@1"


def tag_problem(text: str) -> str:
    """Return a sentence on why a text is not a tag; empty if it is one."""
    if not text:
        return "the name is missing; a tag is a namespace, a slash and a name, as in nvidia/a100"
    if len(text) > MAX_TAG:
        return f"{echo(text)} has {len(text)} characters: a tag has at most {MAX_TAG}"
    name, colon, variant = text.partition(":")
    components = name.split("/")
    for component in components:
        if not COMPONENT.fullmatch(component):
            return (
                f"{echo(text)} is not a tag: its part {echo(component) or '(empty)'} is not "
                f"lowercase letters and digits, joined by '.', '_', '__' or '-'"
            )
    if len(components) < 2:
        return f"{echo(text)} is not a tag: a name has a namespace and a slash, as in nvidia/a100"
    if colon and not VARIANT.fullmatch(variant):
        return (
            f"{echo(text)} is not a tag: the variant {echo(variant) or '(empty)'} is not "
            "1 to 64 of a-z, 0-9, '.', '_', '-', without two dots in a row or one at the end"
        )
    for part in (*components, variant):
        if part.endswith(RESERVED_ENDINGS):
            return f"{echo(text)} is not a tag: {echo(part)} ends in a reserved file extension"
    return ""


def is_name(text: str) -> bool:
    """Return whether a text is a tag or an alias."""
    return not (tag_problem(text) and alias_problem(text))


def alias_problem(text: str) -> str:
    """Return a sentence on why a text is not an alias; empty if it is one."""
    namespace, _, rest = text.partition("/")
    if len(text) > MAX_TAG:
        return f"{echo(text)} has {len(text)} characters: an alias has at most {MAX_TAG}"
    if not COMPONENT.fullmatch(namespace) or not rest:
        return f"{echo(text)} is not an alias: it must begin with a namespace and a slash"
    if not ALIAS.fullmatch(text) or NOT_IN_ALIAS & set(text):
        return f"{echo(text)} is not an alias: use printable ASCII without spaces, @ ? # % and \\"
    if PAIR_SEPARATOR in text:
        return f"{echo(text)} is not an alias: three dots separate two references"
    if DOT_SEGMENTS & {*text.split("/")}:
        return f"{echo(text)} is not an alias: a part is only dots, which URLs do not keep"
    if text.endswith(RESERVED_ENDINGS):
        return f"{echo(text)} is not an alias: it ends in a reserved file extension"
    return ""
