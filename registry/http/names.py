"""Names that the server, the middleware and the interfaces share."""

API = "/api/"  # all paths whose responses are for programs
READ_METHODS = ("GET", "HEAD")
SAFE_METHODS = frozenset({*READ_METHODS, "OPTIONS"})  # their bodies, if any, are not read

REQUEST_ID = "X-Request-ID"  # a header of every response; of requests, behind a proxy
POSITION = "Registry-Position"  # a header of writes; of reads that must not miss that write

# Keys of the WSGI environment.
REFUSAL = "registry.refusal"  # why the server refuses the request, for the middleware
ROUTE = "registry.route"  # the URL pattern of the request, from the middleware
ANSWER_TAGS = "registry.answer_tags"  # those that the answer was read from; None: any tag
