"""Target Tag Registry: compile targets by name."""

import sys

from registry.site_files import CLIENT

# The client beside the registry comes before any other that is installed: both apply the rules of
# `ttag_rules`, of one release. Decision 175.
sys.path.insert(1, str(CLIENT))
