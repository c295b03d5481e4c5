"""What to paste into a shell or a program, against the very host that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from registry.web.versions.node_links import query

JSON = "json"  # the format that answers who does not choose


@dataclass(frozen=True, slots=True)
class Tool:
    """What takes a target, in which format, and what to paste `where`.

    The URL stands in quotes, in which a shell and Python read nothing but their end.
    """

    name: str  # in ?take=
    title: str
    form: str
    where: str
    script: str

    def snippet(self, url: str) -> str:
        """The text to paste."""
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
    """The absolute URL that answers with a reference, or a node of it, in a format."""
    path = reverse("api:resolve", args=[reference]).replace("'", "%27")
    asked = query(format=form if form != JSON else "", node=node)
    return request.build_absolute_uri(f"{path}{asked}")


def curl(request: HttpRequest, reference: object, form: str = JSON) -> str:
    """A command that writes what a reference stands for."""
    return DEFAULT.snippet(url(request, reference, form))
