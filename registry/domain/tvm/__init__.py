"""What TVM says of targets in ways of its own: its releases' options, types and command lines."""
