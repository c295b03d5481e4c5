"""What the real compiler makes of the registry's targets: `make verify-tvm`.

Two environments meet here. The tests run in the registry's own, and never import TVM. TVM 0.27 has
an environment of its own (`environment.py`: installed once from requirements-tvm.txt, kept in the
user's cache), where one process waits for questions (`worker.py`, the only module that imports it).
`compiler.py` starts that process and asks it, in lines of JSON: to make a target and say what it
understood, to compile and run a function, to save and load a module.

What is asked about comes from a registry as it is served, over HTTP (`conftest.py`); only generated
overrides, of which there are hundreds, are resolved by the rules alone (`overrides.py`).

Without TVM_PYTHON, which `environment.py` sets, pytest does not collect the tests that need TVM.
"""
