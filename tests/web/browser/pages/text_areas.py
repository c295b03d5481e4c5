"""Every form of the site with text areas, and what a person types into them, line by line.

`test_every_page.py` compares the table with the pages, `test_line_breaks.py` submits the forms.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

TextArea = tuple[str, str]  # the address of its form, and its name

# The text areas that people can write into, as the page has them.
FIND = """
() => [...document.querySelectorAll("textarea:not([readonly])")].map((area) =>
  [area.form ? new URL(area.form.action).pathname : "", area.name])
"""
KEY = re.compile(r"/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")  # of a draft
GUIDED = re.compile(r"^f:.*")  # the fields of a body
PROSE = ("The first line about {}", "and the second.")
URLS = ("https://example.org/a", "https://example.org/b")
SAME: tuple[str, ...] = ()  # the text that is there, and a line end


@dataclass(frozen=True)
class Form:
    """A form: its page, its text areas with their lines, and how to submit it."""

    path: str
    areas: Mapping[str, tuple[str, ...]]  # by name
    button: str
    action: str = ""  # the address of the form, if not that of the page
    fields: Mapping[str, str] = field(default_factory=dict)  # of one line, by name
    first: str = ""  # a button that shows the text areas

    @property
    def keys(self) -> set[TextArea]:
        """Return the text areas as `key_of` does."""
        action = self.action or self.path.partition("?")[0]
        return {key_of(action, name) for name in self.areas}


def key_of(action: str, name: str) -> TextArea:
    """Return a key of a text area that is the same for all rows of a table."""
    action = re.sub("/[0-9]+", "/1", KEY.sub("", action))
    return action, GUIDED.sub("f:", name)


def lines_of(form: Form, name: str) -> tuple[str, ...]:
    """Return the lines for a text area; prose names the text area."""
    lines = form.areas[name]
    return (
        tuple(line.format(f"{name} of {form.path}") for line in lines) if lines == PROSE else lines
    )


PROPOSALS, REQUESTS = "/admin/registry/proposal", "/admin/registry/namespacerequest"
FORMS = (
    Form("/identify", {"text": ("GPU 0: NVIDIA L4", "GPU 1: NVIDIA L4")}, "Search"),
    Form(
        "/submit",
        {"source": ('{"kind": "llvm",', '"mcpu": "haswell"}')},
        "Continue",
        fields={"tag": "stage/enter-0"},
    ),
    Form(
        "/submit?start_from=kind&kind=llvm&tag=stage/enter-1",
        {"message": PROSE, "sources": URLS, "f:": SAME},
        "Submit for review",
        fields={"f:/mcpu": "cascadelake"},
    ),
    Form(
        "/submit?start_from=kind&kind=llvm&tag=stage/enter-2",
        {"body": ('{"kind": "llvm",', '"mcpu": "cooperlake"}'), "message": PROSE},
        "Submit for review",
        first="Edit as JSON",
    ),
    Form(
        "/submit?proposal=11",  # what the form for stage/enter-1 has proposed
        {"text": PROSE, "message": PROSE},
        "Submit revision",
        action="/submit",
        fields={"f:/mcpu": "icelake-server"},
    ),
    Form("/proposals/11/withdraw", {"text": PROSE}, "Withdraw proposal"),
    Form("/proposals/1", {"text": PROSE}, "Add comment", action="/proposals/1/comment"),
    Form("/proposals/1/ask", {"text": PROSE}, "Request changes"),
    Form("/proposals/2/accept", {"text": PROSE}, "Accept and publish"),
    Form("/proposals/8/reject", {"text": PROSE}, "Reject proposal"),
    Form(
        "/namespace-requests/new",
        {"reason": PROSE, "evidence": PROSE},
        "Request a namespace",
        fields={"name": "enterprise", "title": "Enterprise", "url": "https://example.org/"},
    ),
    Form(
        "/namespaces/nvidia/claim",
        {"reason": PROSE, "evidence": PROSE},
        "Claim namespace",
        fields={"url": "https://nvidia.com/"},
    ),
    Form(
        "/manage/stage/trusted-publishers",
        {"claims": ("repository=acme/targets", "repository_owner_id=1234567")},
        "Trust this publisher",
    ),
    Form(f"{PROPOSALS}/3/ask/", {"text": PROSE}, "Request changes"),
    Form(f"{PROPOSALS}/4/accept/", {"text": PROSE}, "Accept and publish"),
    Form(f"{PROPOSALS}/5/reject/", {"text": PROSE}, "Reject proposal"),
    Form("/manage/stage/readme", {"text": PROSE}, "Publish README"),
    Form("/admin/registry/namespace/1/readme/", {"text": PROSE}, "Publish README"),
    Form(
        "/namespace-requests/1",
        {"text": PROSE},
        "Add comment",
        action="/namespace-requests/1/comment",
    ),
    Form(f"{REQUESTS}/1/comment/", {"text": PROSE}, "Add comment"),
    Form(f"{REQUESTS}/1/reject/", {"text": PROSE}, "Reject request"),
    Form(f"{REQUESTS}/2/accept/", {"text": PROSE}, "Make requester an owner"),
    Form("/admin/registry/kind/1/revise/", {"source": SAME}, "Preview"),
    Form(
        "/admin/registry/kind/add/",
        {"source": ("{", '"type": "object"}')},
        "Preview",
        fields={"name": "executor/enter"},
    ),
    Form(
        "/report/nvidia/jetson-nano?fact=vendor",
        {"comment": PROSE},
        "Send the report",
        fields={"value": "Apex", "source": "https://example.org/a"},
    ),
)
