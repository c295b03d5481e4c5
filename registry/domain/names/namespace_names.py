"""Names of namespaces: their form, names that nobody can request, and those that are taken.

`docs/namespaces.md` explains the rules to people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry.domain.errors import Code, Fault, echo
from registry.domain.names.look_alikes import look_alikes
from ttag_rules.names import COMPONENT

MAX_NAMESPACE = 64  # characters, the width of the column
EXPECTED = "1 to 64 lowercase letters and digits, joined by '.', '_', '__' or '-'"

# The first segments of the site's own paths, and those that it may need.
PATHS = frozenset(
    {
        *("about", "accounts", "admin", "api", "badges", "catalogue", "changes", "compare"),
        *("composition", "deprecate", "diff", "docs", "events", "family", "alias", "feed"),
        *("formats", "hardware", "healthz", "help", "home", "identify", "kinds", "lineage"),
        *("login", "logout"),
        *("manage", "me", "metrics", "namespace-requests", "namespaces", "policies", "problems"),
        *("proposals", "readyz", "rebase", "rename", "report", "resolved", "robots"),
        *("runs-on", "search", "settings"),
        *("signup", "sitemap", "sitemaps", "source", "static", "submit", "suggestions", "tags"),
        *("undeprecate", "unsubscribe", "unyank", "update", "used-by", "users", "versions"),
        *("watch", "yank"),
    }
)
# Names that would speak for the registry, or for nobody.
ROLES = frozenset(
    {
        *("abuse", "administrator", "anonymous", "curator", "curators", "moderator", "official"),
        *("owner", "owners", "registry", "root", "security", "staff", "support", "system"),
        *("target-tag-registry", "team", "ttr", "verified"),
    }
)
# Words that stand for something else in references, code and documentation.
PLACEHOLDERS = frozenset(
    {
        *("any", "all", "current", "default", "demo", "example", "examples", "latest", "localhost"),
        *("newest", "none", "null", "self", "sample", "test", "tests", "undefined", "unknown"),
    }
)
# Whole classes of hardware, which belong to no vendor.
CLASSES = frozenset(
    {
        *("accelerator", "board", "boards", "chip", "chips", "cloud", "clouds", "cpu", "cpus"),
        *("device", "devices", "dsp", "fpga", "generic", "gpu", "gpus", "host", "machine"),
        *("machines", "mcu", "microcontroller", "microcontrollers", "npu", "phone", "phones"),
        *("soc", "target", "targets", "tpu"),
    }
)
RESERVED = PATHS | ROLES | PLACEHOLDERS | CLASSES


def form_faults(name: str) -> Iterator[Fault]:
    """Yield at most one fault: a name that is not one component of a reference, or too long."""
    if not COMPONENT.fullmatch(name) or len(name) > MAX_NAMESPACE:
        message = f"{echo(name) or '(empty)'} is not a valid namespace"
        yield Fault("/name", Code.REQUEST_INVALID, message, EXPECTED, echo(name))


def reserved_faults(name: str) -> Iterator[Fault]:
    """Yield at most one fault: a reserved name, or one that looks like it."""
    if reserved := look_alikes(name, RESERVED):
        message = f"{name} is reserved"
        if name not in RESERVED:
            message = f"{name} looks like {reserved[0]}, which is reserved"
        expected = "the name of the vendor, project or group, see the policy for namespaces"
        yield Fault("/name", Code.REQUEST_INVALID, message, expected, name)


def taken_faults(name: str, others: Iterable[str]) -> Iterator[Fault]:
    """Yield at most one fault: a name that exists already, or that looks like an existing one."""
    if taken := look_alikes(name, others):
        message = f"{name} looks like {taken[0]}, which exists"
        if name in taken:
            message = f"the namespace {name} exists; it can be claimed"
        expected = "a name that nobody confuses with that of another namespace"
        yield Fault("/name", Code.REQUEST_INVALID, message, expected, name)
