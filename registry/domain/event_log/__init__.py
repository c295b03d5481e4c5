"""The event log as a Merkle tree: hashes, tiles, checkpoints and leaves. Neither Django nor I/O."""
