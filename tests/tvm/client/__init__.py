"""Tests of `ttag.tvm` with the real TVM and a served registry: part of `make verify-tvm`.

`building.py` extends TVM's process by functions that build with `ttag.tvm`. The targets are
published by `targets.py`.
"""
