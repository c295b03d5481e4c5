"""How long tests wait for what takes seconds on an idle machine."""

# Seconds. Only what hangs takes longer, on however busy a machine; no passing test waits so long.
PATIENCE = 300
