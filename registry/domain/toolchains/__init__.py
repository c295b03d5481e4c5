"""How the tools of a target's machine are told of it: triples, and flags of compilers."""
