"""What the admin shows in the browser's registry: an administrator, members, tokens, proposals.

`tests.web.browser.stage` prepares it with everything else.
"""

import json
from typing import Any

USERNAME = "boss"
PASSWORD = "correct horse battery staple"
BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "skylake", "num-cores": 4}


def prepare() -> None:
    """A superuser, a member, an alias pointed twice, a token, a deprecation taken back."""
    from registry.domain.reference import Reference, Tag  # noqa: PLC0415 - after the setup
    from registry.models import Namespace, Role  # noqa: PLC0415
    from registry.services import (  # noqa: PLC0415
        accounts,
        aliases,
        deprecation,
        members,
        tokens,
    )
    from registry.services.permissions import Actor  # noqa: PLC0415 - after the setup
    from registry.services.shipping import catalogue  # noqa: PLC0415

    actor = catalogue.account_of_catalogue()
    rights = accounts.Rights(is_staff=True, is_superuser=True)
    boss = accounts.make(USERNAME, password=PASSWORD, rights=rights, actor=Actor.operator(actor))
    member = accounts.make("ci-bot", actor=Actor.operator(boss), email="ci@example.org")
    stage = Namespace.objects.get(name="stage")
    members.grant(stage, boss, Role.OWNER, actor=Actor.operator(boss))
    members.grant(stage, member, Role.MEMBER, actor=Actor.operator(boss))
    for reference in ("stage/board", "stage/board@2"):
        aliases.point_alias("stage/plank", Reference.parse(reference), actor=Actor.operator(boss))
    tokens.issue(
        member, label="nightly", scopes=["publish"], pattern="stage", actor=Actor.operator(boss)
    )
    board = Tag.parse("stage/board")
    deprecation.deprecate(board, reason="too slow", actor=Actor.operator(boss))
    deprecation.undeprecate(board, reason="fast again", actor=Actor.operator(boss))
    propose(accounts.make("paula", actor=Actor.operator(boss)), boss)


def propose(paula: Any, boss: Any) -> None:
    """Proposals in every state, and for each reason to look: a change, lints, dependents, moved."""
    from registry.domain.number import Number  # noqa: PLC0415
    from registry.domain.reference import Reference, Tag  # noqa: PLC0415
    from registry.services import (  # noqa: PLC0415
        publishing,
        withdrawing,
    )
    from registry.services.permissions import Actor  # noqa: PLC0415 - after the setup
    from registry.services.reviewing import deciding, proposing  # noqa: PLC0415

    first = Number.parse("1.0.0")

    def put(tag: str, body: Any, base: Number | None = None) -> None:
        name, source = Tag.parse(tag), json.dumps(body)
        publishing.publish(
            name, source, message="Staged", actor=Actor.operator(boss), expected=base
        )

    def ask(tag: str, body: Any, base: Number | None = None) -> int:
        source, said = json.dumps(body), f"As the maker's sheet has it, for {tag}"
        sources = ["https://example.org/sheet.pdf"]
        return proposing.propose(
            Tag.parse(tag),
            source,
            message=said,
            sources=sources,
            base=base,
            actor=Actor.operator(paula),
        ).pk

    put("stage/soc", BOARD)
    put("stage/kit", {"tag": "stage/soc", "mcpu": "znver3"})
    put("stage/base", BOARD | {"num-cores": 3})
    put("stage/moved", BOARD | {"num-cores": 5})
    ask("stage/soc", BOARD | {"num-cores": 16}, first)
    for cores in (21, 22, 23):
        ask(f"stage/wanted-{cores}", BOARD | {"num-cores": cores})
    ask("stage/moved", BOARD | {"num-cores": 6}, first)
    put("stage/moved", BOARD | {"num-cores": 7}, first)
    ask("stage/broken", {"tag": "stage/base@1", "num-cores": 8})
    put("stage/base", BOARD | {"num-cores": 9}, first)
    withdrawing.yank(
        Reference.parse("stage/base@1.0.0"), reason="wrong cores", actor=Actor.operator(boss)
    )
    deciding.accept(
        ask("stage/taken", BOARD | {"num-cores": 24}), seen=1, actor=Actor.operator(boss)
    )
    deciding.ask(
        ask("stage/asked", BOARD | {"num-cores": 25}),
        seen=1,
        text="Why?",
        actor=Actor.operator(boss),
    )
    deciding.reject(
        ask("stage/left", BOARD | {"num-cores": 26}), seen=1, text="No.", actor=Actor.operator(boss)
    )
    deciding.withdraw(ask("stage/dropped", BOARD | {"num-cores": 27}), actor=Actor.operator(paula))
