"""Regular expressions for the OpenAPI document, in the syntax that Python and JavaScript share."""

from __future__ import annotations

from ttag_rules.names import COMPONENT
from ttag_rules.selectors import DIGEST, NUMBERS

SPELLING = r'[!"$&->A-\[\]-~]+/[!"$&->A-\[\]-~]+'  # of aliases, which includes that of tags
SELECTED = f"(@({NUMBERS.pattern}|{DIGEST.pattern}))?"

ALIAS = f"^{SPELLING}$"
REFERENCE = f"^{SPELLING}{SELECTED}$"
EXACT = rf"^{SPELLING}@[0-9]{{1,9}}\.[0-9]{{1,9}}\.[0-9]{{1,9}}$"
PAIR = rf"^{SPELLING}{SELECTED}\.{{3}}{SPELLING}{SELECTED}$"
TAG = rf"^{COMPONENT.pattern}(?:/{COMPONENT.pattern})+(:[a-z0-9_](\.?[a-z0-9_-])*)?$"
NUMBER = r"^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}$"
CONTENT = f"^{DIGEST.pattern}$"
TILE = r"^(entries|[0-6])/(x[0-9]{3}/){0,5}[0-9]{3}(\.p/[1-9][0-9]{0,2})?$"
