"""Settings, read from environment variables only; README.md lists them under "Settings".

Without any, the registry listens on loopback and stores its data below var/.
"""

from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from registry.database.settings import postgresql, sqlite
from registry.domain.owner_factor import OwnerFactorRule
from registry.environment.addresses import caches, contacts, hosts, issuers, origin, page
from registry.environment.identity_provider import identity_provider
from registry.environment.keys import load_or_create_secret, log_origin, signing_keys
from registry.environment.mail import mail, sender
from registry.environment.variables import (
    choice,
    count,
    days,
    flag,
    instant,
    rate,
    refuse_unknown,
    seconds,
    text,
)
from registry.http import logs, rate_limits
from registry.http.proxies import FORWARDED, X_FORWARDED
from registry.site_files import BASE_DIR, DEFAULT_VAR

DEBUG = flag("DEBUG")
HTTPS = flag("REGISTRY_HTTPS")
PROXIES = count("REGISTRY_PROXIES", int(HTTPS))
PROXY_HEADERS = choice("REGISTRY_PROXY_HEADERS", FORWARDED, X_FORWARDED)
if PROXY_HEADERS == X_FORWARDED and not PROXIES:
    raise ImproperlyConfigured(
        "REGISTRY_PROXY_HEADERS needs REGISTRY_PROXIES: without it, headers of proxies are "
        "ignored, and all clients count as one."
    )
LOG = choice("REGISTRY_LOG", "plain", "json")
METRICS = flag("REGISTRY_METRICS")
ADMIN_NEEDS_FACTOR = choice("REGISTRY_ADMIN_FACTOR", "optional", "required") == "required"
# Days from when on owners of namespaces that others build on need a second factor.
OWNER_FACTOR = OwnerFactorRule(days("REGISTRY_OWNER_FACTOR", 30))
RESET_WAIT = timedelta(hours=count("REGISTRY_RESET_WAIT", 72))  # of accounts, by superusers
SIGNUP_OPEN = choice("REGISTRY_SIGNUP", "open", "closed") == "open"
CATALOGUE = choice("REGISTRY_CATALOGUE", "all", "basic")  # which shipped tags are loaded
RATE_LIMITS = {  # requests per minute; None for no limit
    rate_limits.ANONYMOUS.name: rate("REGISTRY_RATE_ANONYMOUS", rate_limits.ANONYMOUS.default),
    rate_limits.PREVIEW.name: rate("REGISTRY_RATE_PREVIEW", rate_limits.PREVIEW.default),
    rate_limits.ACCOUNT.name: rate("REGISTRY_RATE_ACCOUNT", rate_limits.ACCOUNT.default),
    rate_limits.BAD_TOKEN.name: rate("REGISTRY_RATE_BAD_TOKEN", rate_limits.BAD_TOKEN.default),
}
RESPONSE_MEMORY = 2**20 * count("REGISTRY_RESPONSE_MEMORY", 64)  # bytes in each process
# Seconds for which caches in front may give a floating answer, and hide a yank; 0: for none.
SHARED_CACHE = seconds("REGISTRY_SHARED_CACHE", at_most=24 * 3600)
PURGE_URLS = caches("REGISTRY_PURGE_URL")  # that the worker tells what has changed
if PURGE_URLS and not SHARED_CACHE:
    raise ImproperlyConfigured(
        "REGISTRY_PURGE_URL needs REGISTRY_SHARED_CACHE: without it, caches keep nothing to purge."
    )
DATABASE_URL = text("DATABASE_URL")
PAGE_SHARE = count("REGISTRY_PAGE_SHARE", 10)  # percent of a core; 0: no limit
STANDBY_LAG = count("REGISTRY_STANDBY_LAG", 0)  # seconds; 0: no node reads from a standby
VAR = Path(text("REGISTRY_VAR", str(DEFAULT_VAR))).absolute()
VAR.mkdir(mode=0o700, parents=True, exist_ok=True)

DATABASES = {
    "default": postgresql(DATABASE_URL) if DATABASE_URL else sqlite(VAR / "registry.sqlite3")
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {  # holds the counts of the rate limiter, shared by all server processes
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "registry_cache",
        # One for each network and account with recent requests; Django's 300 are too few.
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

SECRET_KEY = text("SECRET_KEY")
if not SECRET_KEY:
    if DATABASE_URL:
        raise ImproperlyConfigured(
            "SECRET_KEY must be set when DATABASE_URL is: all servers of one database share one "
            "key. Generate one with: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
    SECRET_KEY = load_or_create_secret(VAR / "secret-key")

ALLOWED_HOSTS = hosts("ALLOWED_HOSTS", "127.0.0.1, localhost, [::1]")

# The event log signs its checkpoints (docs/decisions/0103-the-log-as-a-tree.md).
LOG_ORIGIN = log_origin("REGISTRY_LOG_ORIGIN", ALLOWED_HOSTS)
LOG_KEYS = signing_keys("REGISTRY_LOG_KEY")
LOG_KEY_FILE = None if DATABASE_URL else VAR / "log-key"  # made once, where there are no keys
LOG_CHECKPOINT_FILE = VAR / "log-checkpoint"  # the last one that was signed

# Providers of the identity tokens that trusted publishing accepts.
TRUSTED_ISSUERS = issuers("REGISTRY_TRUSTED_ISSUERS", "https://token.actions.githubusercontent.com")
# The address of this registry, for which identity tokens are issued. The sender of a request could
# choose its Host, and so the audience. Without the setting, trusted publishing is off.
# Decision 096: the one audience of identity tokens, which has no default that is right.
ADDRESS = origin("REGISTRY_ADDRESS")

IDENTITY_PROVIDER = identity_provider(  # by which people sign in beside passwords; None: off
    text("REGISTRY_OIDC_ISSUER"),
    text("REGISTRY_OIDC_CLIENT_ID"),
    text("REGISTRY_OIDC_CLIENT_SECRET"),
    text("REGISTRY_OIDC_NAME"),
)

# The fields of /.well-known/security.txt, which there is with a contact only.
SECURITY_CONTACTS = contacts("REGISTRY_SECURITY_CONTACT")
SECURITY_EXPIRES = instant("REGISTRY_SECURITY_EXPIRES")
SECURITY_POLICY = page("REGISTRY_SECURITY_POLICY")
if bool(SECURITY_CONTACTS) != bool(SECURITY_EXPIRES):
    raise ImproperlyConfigured(
        "REGISTRY_SECURITY_CONTACT and REGISTRY_SECURITY_EXPIRES must be set together: a "
        "security.txt has both (RFC 9116)."
    )
if SECURITY_POLICY and not SECURITY_CONTACTS:
    raise ImproperlyConfigured(
        "REGISTRY_SECURITY_POLICY needs REGISTRY_SECURITY_CONTACT: without it, there is no "
        "security.txt."
    )

# HTTPS. Off by default, so that http://127.0.0.1 works without a certificate.
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]  # requested without TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS

# Django's own defaults add nosniff, X-Frame-Options: DENY, Referrer-Policy and COOP same-origin.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024  # the largest request, a text to identify, may have it

SILENCED_SYSTEM_CHECKS = [
    "fields.W163",  # db_comment is for PostgreSQL; SQLite does not support it
    "models.W046",
    "security.W005",  # HSTS for subdomains: they may belong to others
    "security.W021",  # HSTS preload: likewise, and it is hard to undo
]

INSTALLED_APPS = [
    "registry.apps.RegistryConfig",
    "registry.apps.AdministratorsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "rest_framework",
    "drf_spectacular",
    "csp",
]
MIDDLEWARE = [
    "registry.middleware.request_id_middleware",  # first, so that all log lines have the id
    "registry.middleware.access_log_middleware",
    "registry.middleware.server_refusal_middleware",
    "registry.middleware.request_size_middleware",
    "registry.http.shared_caches.shared_cache_middleware",
    *(["registry.middleware.position_middleware"] if STANDBY_LAG else []),
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "registry.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "registry.middleware.DatabaseErrorMiddleware",
]
ROOT_URLCONF = "registry.urls"
WSGI_APPLICATION = "registry.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "registry.web.core.template_filters",
                "registry.web.documents.terms",
                "registry.admin.template_filters",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "registry.web.core.news.unread_news",
                "registry.web.core.parameters.unread_parameters",
            ],
        },
    }
]
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", ("docs", BASE_DIR / "docs/drawings")]
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

AUTH_USER_MODEL = "registry.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

SESSION_ENGINE = "registry.http.sessions"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "your-work"
CSRF_FAILURE_VIEW = "registry.web.core.stashed_forms.csrf_failure"

_mail = mail(text("EMAIL_URL"))  # lower case: not a setting, so debug pages do not show it
SENDS_MAIL = bool(_mail.host)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if SENDS_MAIL else 'dummy'}.EmailBackend"
EMAIL_HOST = _mail.host
EMAIL_PORT = _mail.port
EMAIL_HOST_USER = _mail.user
EMAIL_HOST_PASSWORD = _mail.password
EMAIL_USE_SSL = _mail.tls
EMAIL_USE_TLS = _mail.starttls
EMAIL_TIMEOUT = 10  # seconds for each step of the worker; no request waits
DEFAULT_FROM_EMAIL = sender("EMAIL_FROM", required=SENDS_MAIL)

ACCOUNT_ADAPTER = "registry.web.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "registry.web.accounts.forms.SignIn",
    "signup": "registry.web.accounts.forms.SignUp",
    "add_email": "registry.web.accounts.forms.AddEmail",
    "change_password": "registry.web.accounts.forms.ChangePassword",
    "set_password": "registry.web.accounts.forms.SetFirstPassword",
    "reset_password": "registry.web.accounts.forms.ResetPassword",
    "reset_password_from_key": "registry.web.accounts.forms.ResetPasswordKey",
    "reauthenticate": "registry.web.accounts.forms.Reauthenticate",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = [
    "username*",
    "email*" if SENDS_MAIL else "email",
    "password1*",
    "password2*",
]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SENDS_MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = SENDS_MAIL  # of changed passwords and second factors
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # no mail to addresses without an account
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Target Tag Registry] "
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_RATE_LIMITS = {  # "key" is an address for mail; for failed sign-ins see the adapter
    "signup": "20/m/ip,100/d/ip",  # accounts stay; a school or an office signs up in one day
    # Decision 056: failures count by account and network, so strangers lock nobody out.
    "login_failed": "10/m/ip,5/5m/key",
    "reset_password": "10/m/ip,3/h/key,10/d/key",
    "confirm_email": "1/3m/key,5/h/key,10/d/key",
}
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser that signed up
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before changing addresses, which can reset passwords
MFA_ADAPTER = "registry.web.accounts.adapter.FactorAdapter"
MFA_FORMS = {
    "authenticate": "registry.web.accounts.forms.Authenticate",
    "reauthenticate": "registry.web.accounts.forms.ReauthenticateByCode",
    "activate_totp": "registry.web.accounts.forms.ActivateApp",
    "add_webauthn": "registry.web.accounts.passkey_forms.AddPasskey",
    "edit_webauthn": "registry.web.accounts.passkey_forms.RenamePasskey",
    "authenticate_webauthn": "registry.web.accounts.passkey_forms.AuthenticateByPasskey",
    "login_webauthn": "registry.web.accounts.passkey_forms.SignInByPasskey",
    "reauthenticate_webauthn": "registry.web.accounts.passkey_forms.ReauthenticateByPasskey",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True  # of passkeys that ask for a finger, a face or a PIN
MFA_TOTP_ISSUER = "Target Tag Registry"
MFA_TOTP_TOLERANCE = 1  # steps of 30 s, for clocks that are off
# With mail, sign-in requires a verified address anyway; without mail, none can be verified.
MFA_ALLOW_UNVERIFIED_EMAIL = True

SOCIALACCOUNT_ADAPTER = "registry.web.accounts.provider_adapter.ProviderAdapter"
SOCIALACCOUNT_FORMS = {"signup": "registry.web.accounts.forms.SignUpByProvider"}
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses a username
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an equal address proves nothing
SOCIALACCOUNT_STORE_TOKENS = False

LANGUAGE_CODE = "en"
USE_I18N = False  # the pages are in English only
TIME_ZONE = "UTC"
USE_TZ = True

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["registry.api.core.authentication.TokenAuthentication"],
    # Refuses a write that does not declare its action.
    "DEFAULT_PERMISSION_CLASSES": ["registry.api.core.permissions.MayTakeAction"],
    "DEFAULT_SCHEMA_CLASS": "registry.api.core.openapi_schema.ResourceSchema",
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%SZ",  # RFC 3339, to the second
    "EXCEPTION_HANDLER": "registry.api.core.problems.exception_handler",
    "NUM_PROXIES": 0,  # registry.http.proxies has already set the client's address
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # ?format= names the registry's formats, not DRF's renderers
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Target Tag Registry",
    "DESCRIPTION": "Compile targets by name: checked, closed, immutable descriptions.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "LICENSE": {"name": "Apache-2.0"},
    "SECURITY": [{}],  # no token is needed, unless an operation says so
    "SERVERS": [{"url": "/"}],  # the paths begin with /api/v1
    "POSTPROCESSING_HOOKS": ["registry.api.core.openapi_schema.finish"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # the values are their own description
    "GENERIC_ADDITIONAL_PROPERTIES": None,
    "SORT_OPERATIONS": False,  # keeps the order of registry/api/urls.py
    "SERVE_INCLUDE_SCHEMA": False,
}

LOGGING = logs.configuration(LOG)

refuse_unknown("REGISTRY_")
