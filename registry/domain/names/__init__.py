"""Names: of namespaces and authors, and near ones for errors."""
