"""The event log, from a write to a proof.

`appending` appends an event; `leaf_bytes` computes its leaf, `tree_hashes` stores the hashes above
it, `checkpoints` signs the root with one of `signing_keys`, `proof_tiles` answers what proves it.
`reading` reads events on from where a reader was.
"""
