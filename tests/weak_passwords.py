"""The settings of a command that makes an account: to hash its password takes half of its time."""

from registry.settings import *  # noqa: F403 - Django reads settings from one module

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
