"""Requirements for every page of the registry.

pytest runs this folder before the files beside it, so these pages show what `seed` published; the
other tests accept proposals, publish and yank.
"""
