"""Tables of what the features of processors imply, for `registry.domain.compatibility`."""
