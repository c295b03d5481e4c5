"""The log of a registry's events as a Merkle tree: what proves that its history only grew.

`tree` and `proofs` are RFC 6962; `tiles`, `entries`, `notes` and `checkpoints` read the forms of
C2SP; `keys` follows the keys of a log, `files` reads one from anywhere, and `history` proves.
"""
