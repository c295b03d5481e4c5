"""The readers of pasted texts, one module for each form; an earlier one wins where two overlap."""

from __future__ import annotations

from registry.domain.identify.readings import Reader

READERS: tuple[Reader, ...] = ()
