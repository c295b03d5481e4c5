"""The largest targets that run on all of several machines, and the fewest that cover them."""
