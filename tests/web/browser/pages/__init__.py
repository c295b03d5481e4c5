"""Every page of the registry, and what holds for each of them.

pytest runs this folder before the files beside it, so these pages show what `stage` prepared; the
other tests accept proposals, publish and yank.
"""
