"""The RSGI application that granian serves; `manage.py serve` starts it."""

from registry.server.application import Application
from registry.services.core import usage
from registry.wsgi import application as wsgi_application

usage.start()

application = Application(wsgi_application)
