"""Tests of a publication that waits while another process revokes its permission."""

from pathlib import Path

import pytest

from tests.services.races.writer_pool import WriterPool

REFUSALS = {
    "revocation": "UNAUTHENTICATED",
    "demotion": "FORBIDDEN",
    "closed account": "UNAUTHENTICATED",
    "four eyes": "FORBIDDEN",
}


@pytest.mark.parametrize("loss", REFUSALS)
def test_waiting_publication_is_refused(writers: WriterPool, loss: str, tmp_path: Path) -> None:
    namespace = loss.replace(" ", "-")
    (enlisted,) = writers.together({"job": "enlist", "namespace": namespace})
    common = {"namespace": namespace, "folder": str(tmp_path)}
    lost, published = writers.together(
        {"job": "lose", "loss": loss, **common},
        {"job": "publish_with", "token": enlisted["token"], **common},
    )
    assert lost == {"lost": loss}
    assert published == {"refused": [REFUSALS[loss]]}
    (stored,) = writers.together({"job": "versions", "tag": f"{namespace}/board"})
    assert stored == []
