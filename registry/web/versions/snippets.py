"""Snippets to paste into a shell or a program, which use the URL of this host."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from registry.web.versions.node_links import query

JSON = "json"  # the default format


PLACEHOLDER = re.compile(r"\{(url|reference|registry)\}")


@dataclass(frozen=True, slots=True)
class ExportLink:
    """The URL of a target in a format, and what it consists of for a client."""

    url: str
    reference: str
    registry: str

    @classmethod
    def of(
        cls, request: HttpRequest, reference: object, format: str = JSON, node: str = ""
    ) -> ExportLink:
        """Return the link to a reference, or to one of its nodes, on this host."""
        text = str(reference)
        registry = request.build_absolute_uri("/").rstrip("/")
        return cls(url(request, text, format, node), text, registry)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that reads targets in a format, and the script to paste into its environment.

    The script quotes {url}: shells and Python interpret only the closing quote in it. {reference}
    and {registry} stand for words of a shell. A tool with an `extension` offers a download.
    """

    name: str  # in ?take=
    title: str
    format: str
    environment: str
    script: str
    extension: str = ""
    file_title: str = ""

    def snippet(self, link: ExportLink) -> str:
        """Return the text to paste."""
        words = {
            "url": link.url,
            "reference": shlex.quote(link.reference),
            "registry": shlex.quote(link.registry),
        }
        return PLACEHOLDER.sub(lambda match: words[match[1]], self.script)


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("curl", "curl", JSON, "a shell", "curl -fsS '{url}'", "json", "JSON"),
        Tool(
            "ttag",
            "ttag",
            JSON,
            "a shell, with the client ttag",
            "export TTAG_REGISTRY={registry}\nttag resolve {reference}",
        ),
        Tool(
            "lock",
            "Lock",
            JSON,
            "a shell in your project; builds then need no network",
            "export TTAG_REGISTRY={registry}\nttag lock {reference} &&\nttag resolve {reference}",
        ),
        Tool(
            "python",
            "Python",
            "target",
            "Python, without any package",
            'import json, urllib.request\ntarget = json.load(urllib.request.urlopen("{url}"))',
            "target.json",
            "target",
        ),
        Tool(
            "tvm",
            "TVM",
            "tvm",
            "Python with TVM 0.27",
            "import json, tvm, urllib.request\n"
            'answer = json.load(urllib.request.urlopen("{url}"))\n'
            'target = tvm.target.Target(answer["target"])',
            "tvm.json",
            "TVM",
        ),
        Tool(
            "iree",
            "IREE",
            "iree",
            "a shell, beside model.mlir",
            "curl -fsSo target.flags '{url}' &&\n"
            "iree-compile @target.flags model.mlir -o model.vmfb",
            "iree.flags",
            "IREE flags",
        ),
        Tool(
            "cmake",
            "CMake",
            "cmake",
            "a shell, beside CMakeLists.txt",
            "curl -fsSo toolchain.cmake '{url}' &&\n"
            'cmake -B build -DCMAKE_TOOLCHAIN_FILE="$PWD/toolchain.cmake"',
            "cmake",
            "CMake toolchain",
        ),
        Tool(
            "clang",
            "clang",
            "clang",
            "a shell, beside main.c",
            "curl -fsSo target.flags '{url}' &&\nclang @target.flags -c main.c",
            "clang.flags",
            "clang flags",
        ),
        Tool(
            "nvcc",
            "nvcc",
            "nvcc",
            "a shell, beside kernel.cu",
            "curl -fsSo nvcc.flags '{url}' &&\nnvcc $(cat nvcc.flags) -c kernel.cu",
            "nvcc.flags",
            "nvcc options",
        ),
        Tool(
            "hipcc",
            "hipcc",
            "hipcc",
            "a shell, beside kernel.hip",
            "curl -fsSo hipcc.flags '{url}' &&\nhipcc $(cat hipcc.flags) -c kernel.hip",
            "hipcc.flags",
            "hipcc options",
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
    return DEFAULT.snippet(ExportLink.of(request, reference, format))
