# Varnish 7 with varnish-modules as a cache in front of a registry with REGISTRY_SHARED_CACHE.
# The proxy in front of Varnish terminates TLS, and sets Forwarded and X-Request-ID.
vcl 4.1;
import std;
import vsthrottle;
import xkey;

backend registry {
    .host = "192.0.2.11";
    .port = "8000";
    .connect_timeout = 1s;
    .first_byte_timeout = 30s;
}

acl purgers {
    "192.0.2.11";  # the worker
}

sub vcl_recv {
    unset req.http.X-Keep;
    if (req.restarts == 0) {
        unset req.http.X-Stale;
    }
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(403));
        }
        return (synth(200, "Purged " + xkey.purge(req.http.Surrogate-Key)));
    }
    if (req.url ~ "^/(metrics|readyz)$") {
        return (synth(404));
    }
    if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization || req.http.Cookie) {
        return (pass);
    }
    # Who asks for an answer of the registry itself gets it, but one client only ten times a second.
    if (req.http.Cache-Control ~ "(?i)no-cache|no-store|max-age=0" || req.http.Pragma ~ "(?i)no-cache") {
        if (vsthrottle.is_denied("asks " + req.http.Forwarded, 50, 5s)) {
            return (synth(429));
        }
        return (pass);
    }
    set req.http.X-Keep = "1";
    # Old answers are given only once the registry has failed: see vcl_deliver.
    set req.grace = 0s;
    if (req.http.X-Stale) {
        set req.grace = 1d;
    }
    return (hash);
}

sub vcl_backend_fetch {
    if (bereq.http.X-Keep && bereq.url ~ "^/(api/v1/(resolve|digests)|badges)/") {
        set bereq.first_byte_timeout = 2s;
    }
    unset bereq.http.X-Keep;
    unset bereq.http.X-Stale;
}

sub vcl_backend_response {
    if (beresp.status >= 500) {
        if (bereq.is_bgfetch) {
            return (abandon);  # the old answer stays
        }
        set beresp.ttl = 0s;
        set beresp.grace = 0s;
        set beresp.uncacheable = true;
        return (deliver);
    }
    if (beresp.http.CDN-Cache-Control !~ "^max-age=[0-9]+") {
        set beresp.ttl = 1m;  # for which it is known not to be kept
        set beresp.uncacheable = true;
        return (deliver);
    }
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^max-age=([0-9]+).*", "\1s"), 0s);
    set beresp.grace = 1d;
    set beresp.http.xkey = beresp.http.Surrogate-Key;
}

sub vcl_deliver {
    if (resp.status >= 500 && req.http.X-Keep && req.restarts == 0) {
        set req.http.X-Stale = "1";
        return (restart);
    }
    unset resp.http.xkey;
    unset resp.http.Surrogate-Key;
    unset resp.http.Cache-Tag;
    unset resp.http.X-Accel-Expires;
    if (req.http.X-Request-ID) {
        set resp.http.X-Request-ID = req.http.X-Request-ID;  # not that of the kept answer
    }
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}

sub vcl_synth {
    if (resp.status == 429) {
        set resp.http.Retry-After = "1";
        set resp.http.Cache-Control = "no-store";
        return (deliver);
    }
}
