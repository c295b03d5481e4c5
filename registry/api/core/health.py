"""/healthz: the process is alive. /readyz: it can serve requests. /metrics: for Prometheus."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from registry.http.caching import CachePolicy, cached
from registry.services.core import metrics
from registry.services.operations import health
from registry.services.work import gauges


@csrf_exempt
@require_safe
@cached(CachePolicy.NO_STORE)
def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 without using the database."""
    return HttpResponse("ok\n", content_type="text/plain")


@csrf_exempt
@require_safe
@cached(CachePolicy.NO_STORE)
def readyz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the database is complete and accepts writes, or 503 with the problems."""
    problems = health.problems()
    return JsonResponse(
        {"ready": not problems, "problems": problems},
        status=503 if problems else 200,
    )


@csrf_exempt
@require_safe
@cached(CachePolicy.NO_STORE)
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Return counters of all server processes, and gauges, for Prometheus; 404 if disabled."""
    text = metrics.render_metrics()
    if text is None:
        raise Http404
    media_type = "text/plain; version=0.0.4; charset=utf-8"
    return HttpResponse(text + gauges.render_gauges(), content_type=media_type)
