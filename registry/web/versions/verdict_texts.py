"""The words of pages for verdicts and their conditions."""

from __future__ import annotations

from collections.abc import Sequence

from ttag_rules.compatibility.feature_names import first_names
from ttag_rules.compatibility.verdicts import Answer, Condition

HEADLINES = {
    Answer.YES: "It runs",
    Answer.CONDITIONAL: "It runs under conditions",
    Answer.UNKNOWN: "Not known",
    Answer.NO: "It does not run",
}
WORDS = {
    Answer.YES: "yes",
    Answer.CONDITIONAL: "if …",
    Answer.UNKNOWN: "not known",
    Answer.NO: "no",
}
CONDITION_HEADINGS = {  # above the conditions of a verdict; a no has none
    Answer.YES: "It needs",
    Answer.CONDITIONAL: "It runs if",
    Answer.UNKNOWN: "It needs at least",
}
CONDITIONS = {
    "feature": "the code checks for {value} before it uses it, or does not use it",
    "ships": "the file also has {value}",
    "driver": "the driver is {at_least} or later",
    "toolkit": "the toolkit is {at_least} or later",
    "system": "the machine has {value} {at_least} or later",
}
MAX_FEATURES = 6  # of a condition that lists features


def condition_texts(conditions: Sequence[Condition]) -> list[str]:
    """Return conditions as clauses; features are one of them."""
    features = [each.value for each in conditions if each.name == "feature"]
    texts = [
        CONDITIONS[each.name].format(value=each.value, at_least=each.at_least)
        for each in conditions
        if each.name != "feature"
    ]
    if features:
        names = first_names(features, MAX_FEATURES)
        texts.insert(0, CONDITIONS["feature"].format(value=names))
    return texts
