"""Returns the values that the tuning keys of a draft digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from registry.domain.document import canonical
from registry.domain.formats.tuning import MAX_PREIMAGES
from registry.domain.tuning import preimages
from registry.services.versions.drafting import Draft


def find_preimages(draft: Draft) -> Mapping[str, dict[str, Any]] | None:
    """Return what each tuning key digests, by the leaf's pointer.

    None if that is more than the format `tuning` would write.
    """
    found = preimages(draft.resolution.target, draft.current.kinds)
    size = sum(len(canonical(preimage)) for preimage in found.values())
    return found if size <= MAX_PREIMAGES else None
