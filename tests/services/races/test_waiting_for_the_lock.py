"""A publication that waits while another process revokes its permission."""

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
def test_waiting_publication_is_rejected(writers: WriterPool, loss: str, tmp_path: Path) -> None:
    namespace = loss.replace(" ", "-")
    (member,) = writers.run({"job": "create_member", "namespace": namespace})
    arguments = {"namespace": namespace, "folder": str(tmp_path)}
    revoked, published = writers.run(
        {"job": "revoke_permission", "loss": loss, **arguments},
        {"job": "publish_with_token", "token": member["token"], **arguments},
    )
    assert revoked == {"lost": loss}
    assert published == {"refused": [REFUSALS[loss]]}
    (stored,) = writers.run({"job": "versions", "tag": f"{namespace}/board"})
    assert stored == []
