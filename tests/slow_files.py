"""Which tests take long.

A parallel run starts with them, so that they do not delay its end. Most wait for other processes.
"""

SLOWEST = (
    "tests/web/browser/",
    "tests/docs/test_operating.py",
    "tests/test_",
    "tests/services/operations/test_moving_databases.py",
    "tests/services/catalogue/test_whole_catalogue.py",
    "tests/services/races/",
    "tests/compilers/",
    "tests/api/fuzz/",
    "tests/web/core/test_roles.py",
)
