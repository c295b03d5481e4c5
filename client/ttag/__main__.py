"""`python -m ttag`, the same as the command `ttag`."""

import sys

from ttag.cli.main import main

sys.exit(main())
