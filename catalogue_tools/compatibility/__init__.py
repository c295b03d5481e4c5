"""Tables of what the features of processors imply, for `ttag_rules.compatibility`."""
