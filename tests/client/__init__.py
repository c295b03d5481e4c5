"""Tests of the client in client/, most of them against a registry that is served."""
