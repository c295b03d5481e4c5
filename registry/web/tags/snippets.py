"""Snippets to paste into a shell or a program, which use the URL of this host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from registry.web.versions.node_links import query

JSON = "json"  # the default format


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that reads targets in a format, and the script to paste into its environment.

    The script quotes the URL: shells and Python interpret only the closing quote in it.
    """

    name: str  # in ?take=
    title: str
    format: str
    environment: str
    script: str
    extension: str  # of a downloaded file
    file_title: str

    def snippet(self, url: str) -> str:
        """Return the text to paste."""
        return self.script.replace("URL", url)


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("curl", "curl", JSON, "a shell", "curl -fsS 'URL'", "json", "JSON"),
        Tool(
            "python",
            "Python",
            "target",
            "Python, without any package",
            'import json, urllib.request\ntarget = json.load(urllib.request.urlopen("URL"))',
            "target.json",
            "target",
        ),
        Tool(
            "tvm",
            "TVM",
            "tvm",
            "Python with TVM 0.27",
            "import json, tvm, urllib.request\n"
            'answer = json.load(urllib.request.urlopen("URL"))\n'
            'target = tvm.target.Target(answer["target"])',
            "tvm.json",
            "TVM",
        ),
        Tool(
            "iree",
            "IREE",
            "iree",
            "a shell, beside model.mlir",
            "curl -fsSo target.flags 'URL' &&\niree-compile @target.flags model.mlir -o model.vmfb",
            "iree.flags",
            "IREE flags",
        ),
        Tool(
            "cmake",
            "CMake",
            "cmake",
            "a shell, beside CMakeLists.txt",
            "curl -fsSo toolchain.cmake 'URL' &&\n"
            'cmake -B build -DCMAKE_TOOLCHAIN_FILE="$PWD/toolchain.cmake"',
            "cmake",
            "CMake toolchain",
        ),
        Tool(
            "clang",
            "clang",
            "clang",
            "a shell, beside main.c",
            "curl -fsSo target.flags 'URL' &&\nclang @target.flags -c main.c",
            "clang.flags",
            "clang flags",
        ),
    )
}
DEFAULT = TOOLS["curl"]


def url(request: HttpRequest, reference: object, format: str = JSON, node: str = "") -> str:
    """Return the absolute URL of a reference, or of one of its nodes, in a format."""
    path = reverse("api:resolve", args=[reference]).replace("'", "%27")
    parameters = query(format=format if format != JSON else "", node=node)
    return request.build_absolute_uri(f"{path}{parameters}")


def curl(request: HttpRequest, reference: object, format: str = JSON) -> str:
    """Return a `curl` command that prints what a reference resolves to."""
    return DEFAULT.snippet(url(request, reference, format))
