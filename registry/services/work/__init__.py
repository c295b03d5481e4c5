"""The worker: mail and nightly jobs, each done by one process at a time."""
