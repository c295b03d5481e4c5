"""What other releases of TVM, IREE and clang would change: `make compilers`."""
