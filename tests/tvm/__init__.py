"""Tests of the registry's targets with the real compiler: `make verify-tvm`.

The tests run in the registry's own environment and never import TVM. TVM 0.27 has a separate
environment (`environment.py`: installed once from requirements-tvm.txt, kept in the user's cache),
in which one process handles requests (`worker.py` and `generation.py`, which alone import TVM).
`compiler.py` starts that process and sends it lines of JSON: to parse and export a target, to
compile and run a function, to save and load a module. Each leaf is compiled in a process of its
own, because TVM and LLVM can crash.

The targets come from a served registry over HTTP (`conftest.py`), except for hundreds of generated
overrides, which are resolved with the domain code (`overrides.py`).

`client/` tests `ttag.tvm`, which builds with TVM.

Without TVM_PYTHON, which `environment.py` sets, pytest does not collect the tests that need TVM.
"""
