"""The errors of services in words that say what to write."""

from __future__ import annotations

from registry.actions.form_messages import fault_sentence, suggestion_hint
from registry.domain.errors import Code, Fault, Refused
from registry.services.core import shipped_facts


def fault_words(fault: Fault) -> str:
    """Return a fault as a sentence."""
    if fault.code == "OPTION_MISSING" and fault.expected and " " not in fault.expected:
        return f"Enter {fault.expected}."
    if fault.code == Code.KIND_UNKNOWN and _is_processor(fault.found):
        return (
            f"{fault.found} is a processor: write kind llvm with mcpu {fault.found}, or a tag such "
            "as arm/soc@1."
        )
    return fault_sentence(fault)


def refusal_words(refusal: Refused) -> str:
    """Return a refusal as text, with its suggestions."""
    return f"{refusal.detail} {suggestion_hint(refusal)}".rstrip()


def _is_processor(name: str) -> bool:
    return any(name in names for names in shipped_facts.cpus().values())
