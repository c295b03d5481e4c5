"""Which responses count for which tag."""

import pytest
from django.test import Client

from registry.models import RecentUsage
from registry.services.core import usage
from tests.api.conftest import Post
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def counts() -> dict[str, int]:
    """Write what was counted; return the counts by tag."""
    usage.flush()
    return dict(RecentUsage.objects.values_list("text", "resolves"))


@pytest.mark.parametrize(
    "path",
    [
        "arm/soc",
        "arm/soc@1",
        "arm/soc@1.0.0",
        "arm/soc?format=target",
        "arm/soc?format=tvm",
        "arm/soc?node=",
    ],
)
def test_every_form_of_a_reference_counts_for_its_tag(client: Client, path: str) -> None:
    response = client.get(f"/api/v1/resolve/{path}")
    assert response.status_code == 200
    assert response.wsgi_request.META[usage.RESOLVED_TAG] == "arm/soc"
    assert counts() == {"arm/soc": 1}


def test_an_alias_counts_for_its_tag(client: Client) -> None:
    response = client.get("/api/v1/resolve/nvidia/a100")
    assert response.wsgi_request.META[usage.RESOLVED_TAG] == "nvidia/nvidia-a100"
    assert counts() == {"nvidia/nvidia-a100": 1}


def test_a_response_without_a_body_counts_too(client: Client) -> None:
    tag = client.get("/api/v1/resolve/arm/soc")["ETag"]
    response = client.get("/api/v1/resolve/arm/soc", headers={"If-None-Match": tag})
    assert response.status_code == 304
    assert response.wsgi_request.META[usage.RESOLVED_TAG] == "arm/soc"
    assert counts() == {"arm/soc": 2}


@pytest.mark.parametrize(
    "path",
    [
        "arm/nothing",
        "arm/soc@9",
        "arm/soc?format=nothing",
        "arm/soc?node=/nothing",
        "micro/aot?format=tvm",
    ],
)
def test_errors_do_not_count(client: Client, path: str) -> None:
    response = client.get(f"/api/v1/resolve/{path}")
    assert response.status_code >= 400
    assert usage.RESOLVED_TAG not in response.wsgi_request.META
    assert counts() == {}


def test_head_does_not_count(client: Client) -> None:
    response = client.head("/api/v1/resolve/arm/soc")
    assert response.status_code == 200
    assert usage.RESOLVED_TAG not in response.wsgi_request.META
    assert counts() == {}


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/explain/arm/soc",
        "/api/v1/diff/arm/soc...arm/soc:aot",
        "/api/v1/tags/arm/soc",
        "/api/v1/versions/arm/soc",
        "/api/v1/lineage/arm/soc",
        "/tags/arm/soc",
    ],
)
def test_other_reads_do_not_count(client: Client, path: str) -> None:
    assert client.get(path, follow=True).status_code == 200
    assert counts() == {}


def test_publishing_does_not_count(acme: object) -> None:
    publish("acme/board", {"kind": "llvm"})
    assert counts() == {}


def test_each_resolved_reference_of_a_batch_counts(post: Post) -> None:
    references = ["arm/soc", "arm/soc@1.0.0", "nvidia/a100", "arm/nothing", "not a reference"]
    assert post("resolve", {"references": [*references, "arm/soc"]}).status_code == 200
    assert counts() == {"arm/soc": 2, "nvidia/nvidia-a100": 1}


def test_references_of_a_batch_without_the_format_do_not_count(post: Post) -> None:
    references = {"references": ["arm/soc", "micro/aot"], "format": "tvm"}
    assert post("resolve", references).status_code == 200
    assert counts() == {"arm/soc": 1}


def test_rejected_batches_do_not_count(post: Post) -> None:
    assert post("resolve", {"references": ["arm/soc"] * 1001}).status_code == 413
    assert counts() == {}


def test_yanked_versions_count(client: Client, acme: object) -> None:
    publish("acme/board", {"kind": "llvm"})
    yank("acme/board@1.0.0")
    assert client.get("/api/v1/resolve/acme/board@1.0.0").status_code == 200
    assert counts() == {"acme/board": 1}
