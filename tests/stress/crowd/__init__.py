"""The goal of the registry under load, as one run: a crowd, a busy publisher, a frozen database.

Builds resolve as fast as they are answered, alone and then beside everything else, in turn. What
they reach beside it, over what they reach alone, is the ratio of the run.
"""
