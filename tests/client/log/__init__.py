"""Tests of the client's side of the log: proofs, and registries and mirrors that lie."""
