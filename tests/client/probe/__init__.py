"""Tests of what describes a machine, on outputs of real ones: see `machines`."""
