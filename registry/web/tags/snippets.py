"""Snippets to paste into a shell or a program, which use the URL of this host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from registry.web.versions.node_links import query

JSON = "json"  # the format that answers who does not choose


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that reads targets: the format it takes, and the script to paste `where`.

    The URL is in quotes, within which a shell and Python interpret nothing but the closing quote.
    """

    name: str  # in ?take=
    title: str
    form: str
    where: str
    script: str

    def snippet(self, url: str) -> str:
        """Return the text to paste."""
        return self.script.replace("URL", url)


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("curl", "curl", JSON, "a shell", "curl -fsS 'URL'"),
        Tool(
            "python",
            "Python",
            "target",
            "Python, without any package",
            'import json, urllib.request\ntarget = json.load(urllib.request.urlopen("URL"))',
        ),
        Tool(
            "tvm",
            "TVM",
            "tvm",
            "Python with TVM 0.27",
            "import json, tvm, urllib.request\n"
            'answer = json.load(urllib.request.urlopen("URL"))\n'
            'target = tvm.target.Target(answer["target"])',
        ),
        Tool(
            "cmake",
            "CMake",
            "cmake",
            "a shell, beside CMakeLists.txt",
            "curl -fsSo toolchain.cmake 'URL' &&\n"
            'cmake -B build -DCMAKE_TOOLCHAIN_FILE="$PWD/toolchain.cmake"',
        ),
        Tool(
            "clang",
            "clang",
            "clang",
            "a shell, beside main.c",
            "curl -fsSo target.flags 'URL' &&\nclang @target.flags -c main.c",
        ),
    )
}
DEFAULT = TOOLS["curl"]


def url(request: HttpRequest, reference: object, form: str = JSON, node: str = "") -> str:
    """Return the absolute URL of a reference, or of one of its nodes, in a format."""
    path = reverse("api:resolve", args=[reference]).replace("'", "%27")
    asked = query(format=form if form != JSON else "", node=node)
    return request.build_absolute_uri(f"{path}{asked}")


def curl(request: HttpRequest, reference: object, form: str = JSON) -> str:
    """Return a `curl` command that prints what a reference resolves to."""
    return DEFAULT.snippet(url(request, reference, form))
