"""TVM's forms of a target: command lines, types, and options of earlier releases."""
