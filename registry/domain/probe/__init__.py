"""The parsers of what tools print about a machine: the files of `ttag.probe`, tested equal."""
