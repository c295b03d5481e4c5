"""What the examples that ship resolve to, and what every format says of them, one file for each.

`python -m tests.examples` writes down what the formats say now. Read the difference before you
commit it: nothing else will.
"""
