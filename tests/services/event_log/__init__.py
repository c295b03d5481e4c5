"""Tests of the event log: what is appended, proved, signed and continued."""
