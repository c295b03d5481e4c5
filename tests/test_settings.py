"""Settings, each case in a process with its own environment."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.databases import LOG_KEY
from tests.settings_reader import SettingsReader

ROOT = Path(__file__).parent.parent
POSTGRES = "postgres://registry:hunter2@db.example.org/registry"


READER = SettingsReader()


@pytest.fixture(scope="module", autouse=True)
def _reader() -> Iterator[None]:
    with READER.running():
        yield


def variables(var: Path, environment: Mapping[str, str]) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "REGISTRY_VAR": str(var), **environment}


def value(expression: str, var: Path, **environment: str) -> str:
    evaluation = READER.evaluate(expression, variables(var, environment))
    assert not evaluation.errors
    return evaluation.output.strip()


def refusal(var: Path, **environment: str) -> str:
    evaluation = READER.evaluate("'accepted'", variables(var, environment))
    assert (evaluation.output, evaluation.status) == ("", 1)
    return evaluation.errors


def test_embedded_registry_needs_no_environment(tmp_path: Path) -> None:
    assert (
        value("settings.DATABASES['default']['NAME']", tmp_path) == f"{tmp_path}/registry.sqlite3"
    )
    assert value("settings.ALLOWED_HOSTS", tmp_path) == "['127.0.0.1', 'localhost', '[::1]']"
    assert value("[settings.DEBUG, settings.HTTPS]", tmp_path) == "[False, False]"


def test_psycopg_is_imported_only_for_postgresql(tmp_path: Path) -> None:
    """It takes a fifth of the time that a command takes to start."""
    imported = "'psycopg' in __import__('sys').modules"
    setup = f"[__import__('django').setup(), {imported}][1]"
    own = {"DJANGO_SETTINGS_MODULE": "registry.settings", "SECRET_KEY": "x" * 50}
    assert value(setup, tmp_path, **own) == "False"
    assert value(imported, tmp_path, DATABASE_URL=POSTGRES, **own) == "True"


CONCURRENT = """
import os
import django.core.serializers.json, django.http  # most of what settings import
for _ in range(7):
    if not os.fork():
        break
from registry import settings
os.write(1, settings.SECRET_KEY.encode() + b"\\n")
"""


def test_concurrent_processes_share_the_generated_key(tmp_path: Path) -> None:
    var = tmp_path / "var"
    command = [sys.executable, "-c", CONCURRENT]
    written = subprocess.run(
        command, cwd=ROOT, env=variables(var, {}), stdout=subprocess.PIPE, text=True, check=True
    )
    key = (var / "secret-key").read_text()
    assert written.stdout.split() == [key] * 8
    assert len(key) >= 50


def test_server_files_are_readable_only_by_the_owner(tmp_path: Path) -> None:
    value("settings.SECRET_KEY", tmp_path / "var")
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "var/secret-key").stat().st_mode) == 0o600


def test_existing_key_is_not_written_again(tmp_path: Path) -> None:
    key = value("settings.SECRET_KEY", tmp_path / "var")
    (tmp_path / "var/secret-key").chmod(0o400)
    before = (tmp_path / "var/secret-key").stat()
    assert value("settings.SECRET_KEY", tmp_path / "var") == key
    assert (tmp_path / "var/secret-key").stat().st_mtime_ns == before.st_mtime_ns


def test_acknowledged_writes_survive_a_power_failure(tmp_path: Path) -> None:
    command = value("settings.DATABASES['default']['OPTIONS']['init_command']", tmp_path)
    assert "PRAGMA synchronous=FULL;" in command


def test_database_url_requires_a_secret_key(tmp_path: Path) -> None:
    assert "SECRET_KEY must be set when DATABASE_URL is" in refusal(tmp_path, DATABASE_URL=POSTGRES)
    assert not (tmp_path / "secret-key").exists()


def test_database_url_is_parsed(tmp_path: Path) -> None:
    keys = ["NAME", "USER", "PASSWORD", "HOST", "PORT", "CONN_MAX_AGE"]
    actual = value(
        f"[settings.DATABASES['default'][key] for key in {keys}]",
        tmp_path,
        DATABASE_URL=POSTGRES.replace(".org", ".org:5433"),
        SECRET_KEY="x",
    )
    assert actual == "['registry', 'registry', 'hunter2', 'db.example.org', '5433', 0]"


def test_database_url_passes_libpq_options_beside_the_pool(tmp_path: Path) -> None:
    options = value(
        "settings.DATABASES['default']['OPTIONS']",
        tmp_path,
        DATABASE_URL=f"{POSTGRES}?sslmode=require&options=-c%20work_mem%3D8MB",
        DATABASE_POOL_SIZE="3",
        SECRET_KEY="x",
    )
    assert "'sslmode': 'require'" in options
    own = "-c plan_cache_mode=force_generic_plan -c random_page_cost=1.1"
    assert f"'options': '{own} -c work_mem=8MB'" in options, "the operator's come last and win"
    assert "'max_size': 3" in options


@pytest.mark.parametrize(
    "url",
    [
        "mysql://registry:hunter2@db.example.org/registry",
        "postgres://registry:hunter2@[::1/registry",
        "postgres://registry:hunter2@db.example.org",
        "dbname=registry password=hunter2",
    ],
)
def test_invalid_database_url_is_rejected_without_showing_it(tmp_path: Path, url: str) -> None:
    errors = refusal(tmp_path, DATABASE_URL=url, SECRET_KEY="x")
    assert "DATABASE_URL must read postgres://" in errors
    assert "hunter2" not in errors


def test_https_is_one_switch(tmp_path: Path) -> None:
    names = ["SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"]
    switches = f"[getattr(settings, name) for name in {names}]"
    assert value(switches, tmp_path) == "[False, False, False]"
    assert value(switches, tmp_path, REGISTRY_HTTPS="1") == "[True, True, True]"


@pytest.mark.parametrize("name", ["DEBUG", "REGISTRY_HTTPS", "REGISTRY_METRICS"])
def test_a_switch_is_0_or_1(tmp_path: Path, name: str) -> None:
    assert f"{name} must be 0 or 1, not 'yes'" in refusal(tmp_path, **{name: "yes"})


@pytest.mark.parametrize("size", ["0", "-1", "many"])
def test_pool_size_is_positive(tmp_path: Path, size: str) -> None:
    errors = refusal(tmp_path, DATABASE_URL=POSTGRES, DATABASE_POOL_SIZE=size, SECRET_KEY="x")
    assert f"DATABASE_POOL_SIZE must be a positive whole number, not '{size}'" in errors


def test_https_implies_a_proxy_by_default(tmp_path: Path) -> None:
    assert value("settings.PROXIES", tmp_path) == "0"
    assert value("settings.PROXIES", tmp_path, REGISTRY_HTTPS="1") == "1"
    own = value("settings.PROXIES", tmp_path, REGISTRY_HTTPS="1", REGISTRY_PROXIES="0")
    assert own == "0"


def test_shared_caches_are_off_by_default(tmp_path: Path) -> None:
    assert value("[settings.SHARED_CACHE, settings.PURGE_URLS]", tmp_path) == "[0, []]"


def test_purging_needs_a_cache(tmp_path: Path) -> None:
    errors = refusal(tmp_path, REGISTRY_PURGE_URL="http://127.0.0.1:6081")
    assert "REGISTRY_PURGE_URL needs REGISTRY_SHARED_CACHE" in errors


def test_headers_of_proxies_need_a_proxy(tmp_path: Path) -> None:
    forwarded = {"REGISTRY_PROXY_HEADERS": "x-forwarded"}
    assert "REGISTRY_PROXY_HEADERS needs REGISTRY_PROXIES" in refusal(tmp_path, **forwarded)
    assert value("settings.PROXIES", tmp_path, REGISTRY_HTTPS="1", **forwarded) == "1"


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("REGISTRY_PAGESHARE", "REGISTRY_PAGE_SHARE"),
        ("REGISTRY_SIGN_UP", "REGISTRY_SIGNUP"),
        ("REGISTRY_OIDC_CLIENTID", "REGISTRY_OIDC_CLIENT_ID"),
    ],
)
def test_misspelt_setting_is_refused_and_not_ignored(
    tmp_path: Path, name: str, setting: str
) -> None:
    errors = refusal(tmp_path, **{name: "5"})
    assert f"{name} is no setting of this release. Did you mean {setting}?" in errors
    assert value("settings.PAGE_SHARE", tmp_path, **{name: ""}) == "10"


def test_every_setting_of_the_readme_is_known(tmp_path: Path) -> None:
    named = {
        *re.findall(r"^\| `(REGISTRY_\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    }
    names = "__import__('registry.environment.variables').environment.variables._read_names"
    read = value(f"sorted({names})", tmp_path)
    assert named == {*re.findall(r"'(REGISTRY_\w+)'", read)}


@pytest.mark.parametrize("number", ["-1", "one", "1.5"])
def test_number_of_proxies_must_be_a_number(tmp_path: Path, number: str) -> None:
    errors = refusal(tmp_path, REGISTRY_PROXIES=number)
    assert f"REGISTRY_PROXIES must be a whole number, not '{number}'" in errors


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("REGISTRY_LOG", "plain or json"),
        ("REGISTRY_PROXY_HEADERS", "forwarded or x-forwarded"),
        ("REGISTRY_SIGNUP", "open or closed"),
        ("REGISTRY_CATALOGUE", "all or basic"),
        ("REGISTRY_ADMIN_FACTOR", "optional or required"),
    ],
)
def test_a_choice_is_one_of_its_options(tmp_path: Path, name: str, options: str) -> None:
    assert f"{name} must be {options}, not 'xml'" in refusal(tmp_path, **{name: "xml"})


def test_rates_have_defaults_and_can_be_set(tmp_path: Path) -> None:
    defaults = "{'anonymous': 60, 'including': 20, 'account': 300, 'failure': 30}"
    assert value("settings.RATE_LIMITS", tmp_path) == defaults
    others = {
        "REGISTRY_RATE_ANONYMOUS": "1",
        "REGISTRY_RATE_PREVIEW": "2",
        "REGISTRY_RATE_ACCOUNT": "none",
        "REGISTRY_RATE_BAD_TOKEN": "4",
    }
    numbers = value("list(settings.RATE_LIMITS.values())", tmp_path, **others)
    assert numbers == "[1, 2, None, 4]"


@pytest.mark.parametrize("rate", ["0", "-1", "60/min", "many"])
def test_a_rate_is_positive_or_none(tmp_path: Path, rate: str) -> None:
    errors = refusal(tmp_path, REGISTRY_RATE_ACCOUNT=rate)
    expected = f"REGISTRY_RATE_ACCOUNT must be a positive whole number or none, not '{rate}'"
    assert expected in errors


def test_sign_up_can_be_closed(tmp_path: Path) -> None:
    assert value("settings.SIGNUP_OPEN", tmp_path) == "True"
    assert value("settings.SIGNUP_OPEN", tmp_path, REGISTRY_SIGNUP="closed") == "False"


GITHUB = "https://token.actions.githubusercontent.com"


@pytest.mark.parametrize(
    ("listed", "issuers"),
    [
        ("", [GITHUB]),
        ("none", []),
        ("https://a.example.org, http://[::1]", ["https://a.example.org", "http://[::1]"]),
    ],
)
def test_issuers_are_listed(tmp_path: Path, listed: str, issuers: list[str]) -> None:
    actual = value("settings.TRUSTED_ISSUERS", tmp_path, REGISTRY_TRUSTED_ISSUERS=listed)
    assert actual == str(issuers)


def test_an_issuer_is_an_https_url(tmp_path: Path) -> None:
    errors = refusal(tmp_path, REGISTRY_TRUSTED_ISSUERS="http://ci.example.org")
    expected = "must list https URLs separated by commas, or be none, not 'http://ci.example.org'"
    assert f"REGISTRY_TRUSTED_ISSUERS {expected}" in errors


def test_half_an_identity_provider_is_refused_at_start(tmp_path: Path) -> None:
    assert value("settings.IDENTITY_PROVIDER", tmp_path) == "None"
    errors = refusal(tmp_path, REGISTRY_OIDC_ISSUER="https://id.example.org")
    assert "REGISTRY_OIDC_CLIENT_SECRET must be set together" in errors


@pytest.mark.parametrize(
    "contact",
    [
        {"REGISTRY_SECURITY_CONTACT": "mailto:security@example.org"},
        {"REGISTRY_SECURITY_EXPIRES": "2027-06-30"},
        {"REGISTRY_SECURITY_POLICY": "https://example.org/policy"},
    ],
)
def test_security_contact_and_its_expiry_go_together(
    tmp_path: Path, contact: dict[str, str]
) -> None:
    assert re.search("must be set together|needs REGISTRY_SECURITY", refusal(tmp_path, **contact))


@pytest.mark.parametrize("key", ["s3cr3t", "AAAA", LOG_KEY[:-4], f"{LOG_KEY},s3cr3t"])
def test_invalid_key_of_the_log_is_not_echoed(tmp_path: Path, key: str) -> None:
    errors = refusal(tmp_path, REGISTRY_LOG_KEY=key)
    assert "REGISTRY_LOG_KEY must hold 32 random bytes in base64" in errors
    assert key not in errors


def test_keys_of_the_log_come_from_the_environment_or_a_file(tmp_path: Path) -> None:
    expression = "[len(settings.LOG_KEYS), str(settings.LOG_KEY_FILE)]"
    two = f"{LOG_KEY},{LOG_KEY}"
    with_url = {"DATABASE_URL": POSTGRES, "SECRET_KEY": "x"}
    assert value(expression, tmp_path, REGISTRY_LOG_KEY=two) == f"[2, '{tmp_path}/log-key']"
    assert value(expression, tmp_path, REGISTRY_LOG_KEY="", **with_url) == "[0, 'None']"
    assert not (tmp_path / "log-key").exists(), "made by the first event, not by the settings"


@pytest.mark.parametrize(
    ("hosts", "origin"),
    [
        ("", "127.0.0.1/log"),
        ("registry.example.org, 127.0.0.1", "registry.example.org/log"),
        ("*, .example.org", "example.org/log"),
        ("*", "localhost/log"),
    ],
)
def test_origin_of_the_log_is_the_first_host(tmp_path: Path, hosts: str, origin: str) -> None:
    assert value("settings.LOG_ORIGIN", tmp_path, ALLOWED_HOSTS=hosts) == origin


@pytest.mark.parametrize("origin", ["a b", "a+b", "größe", "a" * 201])
def test_invalid_origin_is_rejected(tmp_path: Path, origin: str) -> None:
    errors = refusal(tmp_path, REGISTRY_LOG_ORIGIN=origin)
    assert "REGISTRY_LOG_ORIGIN must be 1 to 200 printable ASCII characters" in errors
