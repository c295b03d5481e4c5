"""The registry's settings, with a bare view beside its URLs."""

from registry.settings import *  # noqa: F403 - the same settings otherwise

ROOT_URLCONF = "benchmarks.bare_view"
