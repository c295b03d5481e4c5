"""Tables, code and HTML in documents."""

import re

from registry.web.documents.markdown import parse
from registry.web.documents.rendering import FITTING, render


def html(text: str) -> str:
    return render(parse(text))


def test_table_scrolls_and_is_labelled_by_the_heading_above() -> None:
    page = html("# Codes\n\n| code | meaning |\n|---|---|\n| a | b |")
    label = 'aria-labelledby="codes"'
    assert f'<div class="scroll" role="group" tabindex="0" {label}><table {label}>' in page


def test_empty_cell_of_a_header_heads_nothing() -> None:
    page = html("# Title\n\n| held by | |\n|---|---|\n| a | b |")
    assert "<th>held by</th>\n<td></td>" in page


def test_only_code_that_may_not_fit_takes_the_focus() -> None:
    narrow, wide = "x" * FITTING, "x" * (FITTING + 1)
    assert "tabindex" not in html(f"# Title\n\n```text\n{narrow}\n```")
    assert 'tabindex="0" aria-label="Example: Title"' in html(f"# Title\n\n```text\n{wide}\n```")
    assert 'tabindex="0"' in html(f"# Title\n\n    {wide}")


def test_commands_have_a_label_for_their_copy_button() -> None:
    page = html("# Fetch\n\n```sh\ncurl -fsS 'http://127.0.0.1:8000/'\n```")
    assert 'data-copy="the example of Fetch"' in page
    assert "data-copy" not in html("# Fetch\n\n```http\nGET / HTTP/1.1\n```")


def test_json_of_an_http_message_is_coloured_and_its_text_kept() -> None:
    text = 'HTTP/1.1 200 OK\nETag: "…"\n\n{"kind": "llvm", "note": "a < b"}'
    page = html(f"# Resolve\n\n```http\n{text}\n```")
    assert '<span class="nt">&quot;kind&quot;</span>' in page
    plain = re.sub(r"<[^>]*>", "", page).replace("&quot;", '"').replace("&lt;", "<")
    assert text in plain


def test_html_is_text() -> None:
    page = html("# A <b>title</b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))")
    assert not re.search(r"<(b|script)\b|href", page)
