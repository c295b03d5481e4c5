"""docs/api.md lists exactly the routes, codes, formats and limits of the API."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.urls import URLPattern

from registry import urls as root
from registry.api import urls as api
from registry.domain.errors import Code
from registry.domain.version_number import Bump
from registry.http.problems import PROBLEMS
from registry.http.rate_limits import LIMITS
from registry.services.versions.exporting import EXPORT_FORMATS
from registry.services.versions.impact import REFUSED
from tests.docs import exchange, markdown
from tests.docs.markdown import ROOT, Section

NAME = "docs/api.md"
ROUTE = re.compile(r"(GET|POST|PUT) (\S+)")
METHODS = ("get", "post", "put", "patch", "delete")
TEXT_CODE = re.compile(r"(?!CMAKE_)[A-Z]{2,}(_[A-Z]+)*")
NOT_CODES = {  # methods, SQL, vendors, CMake values, variable names
    *("DELETE", "GET", "HEAD", "OPTIONS", "POST", "PURGE", "PUT"),
    *("NFKD", "NULL", "ROLLBACK", "UPDATE", "VACUUM"),
    *("AMD", "ARM", "IBM", "NVIDIA", "QUALCOMM"),
    *("GLOBAL", "GPU", "GROUP", "MARKET_NAME", "POWER"),  # what tools print
    *(f"PHYSICAL_DEVICE_TYPE_{name}_GPU" for name in ("DISCRETE", "INTEGRATED", "VIRTUAL")),
    *("FLOPS", "GB", "OPS"),  # units
    "NPU",
    *("AES", "AMX", "APX", "AVX", "NEON", "SME", "SVE", "XOP"),  # instructions
    *("ABI", "GOARCH", "HSA_OVERRIDE_GFX_VERSION"),  # variables of builds
    *("TORCH_CUDA_ARCH_LIST", "CUDA_ARCHITECTURES", "CUDAARCHS", "CUDA_ARCH_LIST", "CUDA_ARCH_BIN"),
    *("CUDA_ARCHS", "TF_CUDA_COMPUTE_CAPABILITIES", "NVTE_CUDA_ARCHS", "FLASH_ATTN_CUDA_ARCHS"),
    *("HOROVOD_BUILD_CUDA_CC_LIST", "PYTORCH_ROCM_ARCH", "AMDGPU_TARGETS", "GPU_TARGETS"),
    *("GPU_ARCHS", "HIP_ARCHITECTURES", "HCC_AMDGPU_TARGET"),
    "JSON",
    "NAME",
    *("NFC", "NFD", "NFKC"),
    "REGISTRY_LOG_KEY",  # a setting
    *("AIX", "ASM", "CXX", "GNU", "STATIC_LIBRARY"),
    *(
        "FACETS",
        "FORMAT",
        "IMPORTER",
        "LOCATION",
        "MIXIN",
        "NFC",
        "NFD",
        "PAGE",
        "PROMETHEUS_MULTIPROC_DIR",
        "SECONDS",
        "SUM",
    ),
}
LISTS = ("Fault codes", "Lint codes", "Warning codes")


def table(title: str) -> dict[str, list[str]]:
    """Return the rows of a section's table by the code in their first cell."""
    rows = markdown.section(NAME, title).rows
    return {row[0].strip("`"): row[1:] for row in rows}


def routes() -> set[str]:
    """Return every method with its path, parameters written as `<>`."""
    api_routes = set()
    for pattern in api.urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        if view:
            path = re.sub(r"<[^>]*>", "<>", str(pattern.pattern))
            api_routes |= {
                f"{method.upper()} {path}" for method in METHODS if hasattr(view, method)
            }
    views = [pattern for pattern in root.urlpatterns if isinstance(pattern, URLPattern)]
    health = [view for view in views if view.callback.__module__ == "registry.api.core.health"]
    return api_routes | {f"GET /{view.pattern}" for view in health}


def documented() -> dict[str, Section]:
    """Return the sections about routes, parameters written as `<>`."""
    sections = markdown.sections(markdown.read_document(NAME))
    return {
        re.sub(r"<[^>]*>", "<>", section.title): section
        for section in sections
        if ROUTE.fullmatch(section.title)
    }


def test_every_route_has_a_section() -> None:
    assert documented().keys() == routes()


@pytest.mark.parametrize("route", sorted(routes()))
def test_every_route_has_an_example(route: str) -> None:
    method, path = route.split(" ")
    path = path if path.startswith("/") else f"/api/v1/{path}"
    pattern = re.escape(path).replace("<>", r"\S+") + r"(\?\S*)?"
    requests = [exchange.parse_http(block.text) for block in documented()[route].blocks[::2]]
    assert any(
        request.method == method and re.fullmatch(pattern, request.path) for request in requests
    )


def test_rate_limits_match_the_code() -> None:
    numbers = [row[1].split()[0] for row in markdown.section(NAME, "Rate limits").rows]
    assert [int(number) for number in numbers] == [limit.default for limit in LIMITS]


def test_every_problem_code_has_its_status() -> None:
    statuses = {code: int(cells[0]) for code, cells in table("Problem codes").items()}
    assert statuses == {str(code): int(problem.status) for code, problem in PROBLEMS.items()}


def test_every_code_has_a_problem() -> None:
    assert PROBLEMS.keys() == set(Code)


def literals(folder: str) -> Iterator[str]:
    """Yield every string literal of a folder that looks like a code."""
    for path in sorted((ROOT / "registry" / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and TEXT_CODE.fullmatch(value):
                yield value


def test_every_other_code_is_in_one_table() -> None:
    documented_codes = [code for title in LISTS for code in table(title)]
    other = {*Code, *Bump, REFUSED} | NOT_CODES
    used = {*literals("domain"), *literals("services")} - other
    assert sorted(documented_codes) == sorted(used)


def test_every_bump_is_mentioned() -> None:
    assert set(Bump) <= set(markdown.code_spans(documented()["POST check"].text))


def test_every_format_has_its_media_type() -> None:
    media_types = {name: cells[0].strip("`") for name, cells in table("Formats").items()}
    assert media_types == {name: export.media_type for name, export in EXPORT_FORMATS.items()}
