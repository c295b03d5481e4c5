"""The promises about active versions, after any sequence of writes."""

import json
from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import transaction
from hypothesis import settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from registry.domain.document import canonical, digest
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core import memory_cache
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.operations.verification import lines, numbers
from registry.services.tags import aliases, deprecation
from registry.services.versions import resolving, yanking
from registry.services.versions.resolving import ResolvedReference
from tests.profiles import examples, is_thorough
from tests.publishing import publish
from tests.services.versions.promise_model import Body, Leaf, ModelTag, ModelVersion, Rules

RULES = [Rules(True, None), Rules(True, 1), Rules(True, 2), Rules(False, None)]
CORES = [Leaf("a"), Leaf("b"), Leaf("c"), Leaf("a", level=1), Leaf("b", level=2)]
UNKEYED = [Leaf("a", board=None), Leaf("a", board=None, level=2)]
BOARD, HEIR = "acme/board", "acme/heir"

# Bodies often continue the one before, or a MAJOR would hold a single version.
added = st.lists(st.sampled_from([*CORES, *UNKEYED]), max_size=2).map(tuple)
indexes = st.integers(0, 30)


def schema(rules: Rules) -> dict[str, Any]:
    """Return the schema of the kind of all devices."""
    level = {"type": "integer", "x-consumers": ["codegen"], "x-affects-tuning": rules.level_matters}
    if rules.default is not None:
        level["default"] = rules.default
    affecting = {"type": "string", "x-consumers": ["codegen"], "x-affects-tuning": True}
    texts = {"pattern": "^[a-z0-9]{1,9}$", "description": "A name."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "acme-core",
        "description": "A device of these tests.",
        "x-keys": ["cpu"],
        "type": "object",
        "properties": {
            "cpu": {**affecting, **texts},
            "board": {**affecting, **texts, "x-host-dependent": [None]},
            "level": {**level, "description": "A level."},
        },
        "additionalProperties": False,
    }


class Promises(RuleBasedStateMachine):
    """Writes through the services, and a model that says what must come of it."""

    def __init__(self) -> None:
        super().__init__()
        memory_cache.cache.clear()  # of the example that was rolled back
        self.stack = ExitStack()
        self.stack.enter_context(transaction.atomic())
        self.stack.callback(transaction.set_rollback, True)
        self.actor = Actor.operator(User.objects.get(username="alice"))
        self.tags = {name: ModelTag(name) for name in (BOARD, HEIR)}
        self.aliases: dict[str, str] = {}
        self.in_force, self.revision = RULES[0], 1
        kinds.revise_kind("acme-core", schema(self.in_force), actor=self.actor)

    def teardown(self) -> None:
        with self.stack:
            assert not [*lines.findings(no_progress), *numbers.findings(no_progress)]

    @rule(
        kept=indexes,
        added=added,
        executor=st.sampled_from([None, None, "vm", "graph"]),
        cores=st.sampled_from([None, None, 2, 4]),
        is_yanked=st.booleans(),
    )
    def publish_body(
        self,
        kept: int,
        added: tuple[Leaf, ...],
        executor: str | None,
        cores: int | None,
        is_yanked: bool,
    ) -> None:
        """Continue an earlier body, or begin with another one; perhaps yank the version at once."""
        versions = self.tags[BOARD].versions
        start = versions[kept % len(versions)].body.leaves if versions and kept % 4 else ()
        body = Body(((*start, *added) or (CORES[0],))[:4], executor, cores)
        if self.publish(BOARD, body.target, body) and is_yanked:
            self.check()
            self.yank(BOARD, versions[-1])

    @rule(choice=indexes)
    @precondition(lambda self: self.tags[BOARD].active())
    def publish_heir(self, choice: int) -> None:
        """Inherit from the parent under a floating or an exact reference."""
        board = self.tags[BOARD]
        floating = [(text, version) for text, version in board.selectors() if version]
        exact = [(self.exact(BOARD, version), version) for version in board.active()]
        text, parent = (candidates := floating + exact)[choice % len(candidates)]
        body = Body(
            parent.body.leaves,
            parent.body.executor,
            parent.body.cores,
            self.exact(BOARD, parent),
        )
        self.publish(HEIR, {"tag": text}, body)

    def publish(self, name: str, source: Any, body: Body) -> bool:
        """Publish a body under the number that the model computes, or be refused."""
        tag = self.tags[name]
        number = tag.next_number(source, body, self.in_force)
        if number is None:
            with pytest.raises(Refused) as refused:
                publish(name, source)
            assert refused.value.code == Code.NOTHING_CHANGED
            return False
        assert publish(name, source).number.parts == number
        tag.versions.append(ModelVersion(number, source, body, self.in_force, self.revision))
        return True

    @rule(
        name=st.sampled_from([BOARD, BOARD, BOARD, HEIR]),
        choices=st.lists(indexes, min_size=1, max_size=4),
    )
    @precondition(lambda self: self.tags[BOARD].versions)
    def yank_and_unyank(self, name: str, choices: list[int]) -> None:
        """Yank versions that are active, and undo the yanks of others, the last ones mostly."""
        versions = self.tags[name].versions
        for choice in choices if versions else ():
            self.check()
            version = versions[-1 - choice % len(versions)]
            change = self.unyank if version.is_yanked else self.yank
            change(name, version)

    def yank(self, name: str, version: ModelVersion) -> None:
        """A yank is always possible."""
        self.withdraw(yanking.yank, name, version)
        version.is_yanked = True

    def unyank(self, name: str, version: ModelVersion) -> None:
        """Undoing one is refused exactly where the MAJOR would lose records."""
        if self.tags[name].can_return(version, self.in_force):
            self.withdraw(yanking.unyank, name, version)
            version.is_yanked = False
        else:
            with pytest.raises(Refused) as refused:
                self.withdraw(yanking.unyank, name, version)
            assert refused.value.code == Code.CONFLICT

    def withdraw(self, action: Any, name: str, version: ModelVersion) -> None:
        action(Reference.parse(self.exact(name, version)), reason="a step", actor=self.actor)

    @rule(name=st.sampled_from([BOARD, HEIR]))
    def change_deprecation(self, name: str) -> None:
        tag = self.tags[name]
        if tag.versions:
            change = deprecation.undeprecate if tag.is_deprecated else deprecation.deprecate
            change(Tag.parse(name), reason="a step", actor=self.actor)
            tag.is_deprecated = not tag.is_deprecated

    @rule(alias=st.sampled_from(["acme/A", "acme/B"]), choice=indexes)
    @precondition(lambda self: self.tags[BOARD].active())
    def point_alias(self, alias: str, choice: int) -> None:
        board = self.tags[BOARD]
        texts = [text for text, version in board.selectors() if version]
        texts += [self.exact(BOARD, version) for version in board.active()]
        self.aliases[alias] = texts[choice % len(texts)]
        aliases.point_alias(alias, Reference.parse(self.aliases[alias]), actor=self.actor)

    @rule(rules=st.sampled_from(RULES))
    @precondition(lambda self: self.tags[BOARD].versions)
    def revise_kind(self, rules: Rules) -> None:
        if kinds.revise_kind("acme-core", schema(rules), actor=self.actor):
            self.in_force, self.revision = rules, self.revision + 1

    @staticmethod
    def exact(name: str, version: ModelVersion) -> str:
        return f"{name}@{'.'.join(map(str, version.number))}"

    @invariant()
    def check(self) -> None:
        """Resolve every reference, and compare with the model and with docs/promises.md."""
        expected: dict[str, tuple[str, ModelVersion | None]] = {}
        for name, tag in self.tags.items():
            for version in tag.versions:
                expected[self.exact(name, version)] = (name, version)
            expected |= {text: (name, version) for text, version in tag.selectors()}
        expected |= {alias: expected[text] for alias, text in self.aliases.items()}
        answers = dict(zip(expected, resolving.resolve_all(list(expected)), strict=True))
        for text, (name, chosen) in expected.items():
            self.check_answer(answers[text], name, chosen)
        for name, tag in self.tags.items():
            exact = {row: answers[self.exact(name, row)] for row in tag.versions}
            self.check_lines(tag, exact)

    def check_answer(
        self, answer: ResolvedReference | Refused, name: str, version: ModelVersion | None
    ) -> None:
        """A reference resolves to what it says, and a digest names bytes."""
        if version is None:
            assert isinstance(answer, Refused)
            assert answer.code == Code.VERSION_UNKNOWN
            assert name not in answer.suggestions
            return
        assert isinstance(answer, ResolvedReference)
        assert answer.exact == self.exact(name, version)
        stored = (answer.digest, answer.target, answer.tuning_keys)
        version.stored = version.stored if any(version.stored) else stored
        assert version.stored == stored
        assert answer.target.encode() == canonical(version.body.target)
        assert answer.digest == digest(answer.target.encode())
        keyed = {
            f"/devices/{index}" for index, leaf in enumerate(version.body.leaves) if leaf.board
        }
        assert json.loads(answer.tuning_keys).keys() == keyed
        assert bool(answer.build_key) == (len(keyed) == len(version.body.leaves))
        deprecated = "deprecated" if self.tags[name].is_deprecated else "active"
        assert answer.status == ("yanked" if version.is_yanked else deprecated)

    def check_lines(self, tag: ModelTag, answers: dict[ModelVersion, Any]) -> None:
        """A number never understates."""
        assert len({row.number for row in tag.versions}) == len(tag.versions)
        keys = {
            row: Counter(json.loads(answer.tuning_keys).values()) for row, answer in answers.items()
        }
        for lower, higher in tag.pairs():
            assert keys[lower] <= keys[higher]
            if lower.number[:2] == higher.number[:2]:
                assert answers[lower].build_key == answers[higher].build_key
                assert lower.body.build == higher.body.build
            if lower.revision == higher.revision == self.revision:
                assert lower.body.preimages(self.in_force) <= higher.body.preimages(self.in_force)


def no_progress(done: int, total: int) -> None:
    """Report nothing."""


@pytest.mark.usefixtures("acme")
def test_active_versions_keep_every_promise_after_any_writes() -> None:
    """At most 240 steps, and 4,000 in a thorough run, each with some writes and all checks."""
    steps = 50 if is_thorough() else 30
    budget = settings(max_examples=examples(0.2), stateful_step_count=steps)
    run_state_machine_as_test(Promises, settings=budget)
