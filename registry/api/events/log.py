"""GET log: the event log as a Merkle tree, in the files of C2SP's tlog-tiles."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from registry.api.core import responses
from registry.api.core.openapi_schema import SUCCESS, header, in_path, operation
from registry.api.core.resource import Resource
from registry.api.events.serializers import LogKeysSerializer
from registry.domain.errors import Code
from registry.http import patterns
from registry.http.caching import CachePolicy
from registry.services.core.release import RELEASE
from registry.services.event_log import checkpoints, proof_tiles, signing_keys

CHECKPOINT_TYPE, TILE_TYPE = "text/plain", "application/octet-stream"


class LogCheckpoint(Resource):
    """The signed state of the log after the last write."""

    @operation(
        "log_checkpoint",
        "The log's size and root, signed",
        {(200, CHECKPOINT_TYPE): OpenApiTypes.STR},
        Code.LOG_UNAVAILABLE,
        parameters=[header("Registry-Release", "the release of the registry", of=SUCCESS)],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the checkpoint as a signed note."""
        signed = checkpoints.newest()
        media_type = f"{CHECKPOINT_TYPE}; charset=utf-8"
        response = responses.of(request, signed.note, media_type=media_type)
        response["Registry-Release"] = RELEASE
        return response


class LogKeys(Resource):
    """The public keys of the log, and the logs that it continues."""

    @operation("log_keys", "The log's keys and forks", LogKeysSerializer, Code.LOG_UNAVAILABLE)
    def get(self, request: Request) -> HttpResponse:
        """Return the keys of the origin in force, newest last."""
        return self.answer(LogKeysSerializer, signing_keys.history())


class LogTileView(Resource):
    """A piece of the tree, or the leaves below one."""

    @operation(
        "log_tile",
        "A tile of the log's tree, or a bundle of its leaves",
        {(200, TILE_TYPE): OpenApiTypes.BINARY},
        Code.TILE_UNKNOWN,
        parameters=[
            in_path(
                "tile",
                {"type": "string", "pattern": patterns.TILE},
                "level or `entries`, and index; `.p/` and a number of hashes where it is not full",
            )
        ],
    )
    def get(self, request: Request, tile: str) -> HttpResponse:
        """Return a tile; a full one never changes, a partial one is replaced by the full one."""
        position, data = proof_tiles.read_tile(tile)
        policy = CachePolicy.IMMUTABLE if position.is_full else CachePolicy.EXACT
        return responses.of(request, data, media_type=TILE_TYPE, policy=policy)
