"""Names under which closed accounts are credited: their characters, and when two look equal."""

from __future__ import annotations

import unicodedata

from registry.domain.names.name_folding import fold_name

# Latin letters that are no base letter with a mark, and how people write them without.
SPECIAL_LETTERS = {
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ł": "l",
    "þ": "th",
}
PUNCTUATION = " .,'-&()"
EXPECTED = f"Latin letters, digits, spaces and {' '.join(PUNCTUATION.strip())}, with a letter"


def credit_problem(text: str) -> str:
    """Return why a text cannot be a credit, or nothing.

    Other scripts and symbols have characters that look like Latin letters, so one name could pass
    as another.
    """
    for character in unicodedata.normalize("NFC", text):
        if not _is_allowed(character):
            return f"U+{ord(character):04X} is not allowed here"
    return "" if any(character.isalpha() for character in text) else "a letter is required"


# Decision 057: nobody may be credited under a name that looks like another's.
def fold_credit(text: str) -> str:
    """Return the letters and digits of a name without marks, in lower case.

    Names are equal for readers if these are: `Zoë O'Neil` and `zoe-oneil`.
    """
    plain = "".join(SPECIAL_LETTERS.get(character, character) for character in text.lower())
    return fold_name(unicodedata.normalize("NFD", plain))


def _is_allowed(character: str) -> bool:
    if character in PUNCTUATION or character.lower() in SPECIAL_LETTERS:
        return True
    base = unicodedata.normalize("NFD", character)[0]  # canonical: ligatures stay as they are
    return base.isascii() and base.isalnum()
