"""Building a release, and installing it as its users will: `make release`, `make test-pythons`."""
