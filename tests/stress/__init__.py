"""`make stress`: faults in a running registry, and a checker of what it acknowledged and served.

See docs/reliability.md. Nothing here imports the registry: clients and checker know only the API.
"""

# Decision 061: the program knows only the API.
