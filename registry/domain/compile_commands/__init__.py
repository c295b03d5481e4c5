"""Command lines of clang, gcc, nvcc and hipcc, as far as they state the machine."""
