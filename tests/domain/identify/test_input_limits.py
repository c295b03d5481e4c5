"""What is refused before it is read."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.identify.input_limits import MAX_TEXT, refuse_unreadable

ACCEPTED = [
    "lscpu",
    "Prozessor: Größe 3\n",
    "कम्प्यूटर का नाम\n",
    "cafe\u0301",
    "a line\n" * (300_000 // 7),
    "word " * 1999,
    "\x1b[1mbold\x1b[0m",
]
REFUSED = {
    "": Code.REQUEST_INVALID,
    " \n\t": Code.REQUEST_INVALID,
    "\x00\x01\x02\x03" * 9: Code.REQUEST_INVALID,
    "\ufffd" * 9: Code.REQUEST_INVALID,
    "word " * 2000: Code.REQUEST_INVALID,
    "a\u202eb": Code.REQUEST_INVALID,
    "a" + "\u0301" * 5: Code.REQUEST_INVALID,
    "a\ud800b": Code.REQUEST_INVALID,
    "a\n" * (MAX_TEXT // 2 + 1): Code.TOO_LARGE,
}


@pytest.mark.parametrize("text", ACCEPTED, ids=range(len(ACCEPTED)))
def test_text_is_accepted(text: str) -> None:
    refuse_unreadable(text)


@pytest.mark.parametrize(("text", "code"), REFUSED.items(), ids=range(len(REFUSED)))
def test_what_is_no_text_is_refused(text: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        refuse_unreadable(text)
    assert refused.value.code is code
