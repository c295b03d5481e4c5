"""The recorded targets and formats of the shipped examples, one file for each.

`python -m tests.examples` records the current output. Check the difference before you commit it: no
other test does.
"""
