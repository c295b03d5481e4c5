"""The event log as a Merkle tree."""
