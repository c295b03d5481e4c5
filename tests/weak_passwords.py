"""The settings of processes that hash passwords, where the safe hash would take most of the time.

It takes half a second: all of a command that makes an account, and of a sign-in.
"""

from registry.settings import *  # noqa: F403 - Django reads settings from one module

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
