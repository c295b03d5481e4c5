"""The WSGI application that granian serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from registry.http import proxies
from registry.services.core import metrics

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")

if settings.METRICS:
    metrics.start(settings.VAR / "metrics")

application = proxies.trust_proxies(
    get_wsgi_application(), proxies=settings.PROXIES, headers=settings.PROXY_HEADERS
)
