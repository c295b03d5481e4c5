"""Prepare what the admin shows: an administrator, members, tokens and proposals.

Called by `tests.web.browser.seed`.
"""

import json
from typing import Any

USERNAME = "boss"
ISSUER = "https://id.example.org"  # of the identity provider
PASSWORD = "correct horse battery staple"
BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "skylake", "num-cores": 4}
# Every element that a README can have, and what is too wide for a phone.
README = f"""Boards of the **stage**, from `stage/soc` on.

# Boards

1. One, for which [Soc](/tags/stage/soc) is the base
2. Another
   - with a nested list
     > and a quote, *with* <b>no</b> markup and ![no image](https://example.org/a.png)

```sh
ttag resolve stage/board --format cmake > {"a-very-long-path/" * 8}target.cmake
```

    indented code

### {"Unbreakable" * 12}

<https://example.org/{"long" * 40}>

[](https://example.org/without-a-name) | no | table |

---

#

## Long

{"A paragraph of some length, of which there are many. " * 9}

""" + "\n\n".join(f"- paragraph {number}\n- and another" for number in range(20))


def prepare() -> None:
    """Create a superuser, a member, an alias, a token and a reverted deprecation."""
    from registry.domain.reference import Reference, Tag  # noqa: PLC0415 - after the setup
    from registry.models import Namespace, Role  # noqa: PLC0415
    from registry.services.accounts import identities, tokens, users  # noqa: PLC0415
    from registry.services.accounts.provider_client import ProvenIdentity  # noqa: PLC0415
    from registry.services.catalogue import loading  # noqa: PLC0415
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.namespaces import members, readmes  # noqa: PLC0415
    from registry.services.tags import aliases, deprecation  # noqa: PLC0415
    from registry.services.webhooks import registration  # noqa: PLC0415

    actor = loading.catalogue_account()
    rights = users.AccountRights(is_staff=True, is_superuser=True)
    boss = users.create_user(
        USERNAME, password=PASSWORD, rights=rights, actor=Actor.operator(actor)
    )
    identity = ProvenIdentity(ISSUER, "248", username=f"{USERNAME}@{'long-' * 12}example.org")
    identities.connect(identity, actor=Actor.operator(boss))
    member = users.create_user("ci-bot", actor=Actor.operator(boss), email="ci@example.org")
    stage = Namespace.objects.get(name="stage")
    members.grant_role(stage, boss, Role.OWNER, actor=Actor.operator(boss))
    members.grant_role(stage, member, Role.MEMBER, actor=Actor.operator(boss))
    url = f"https://hooks.example.org/{'a-very-long-path-' * 6}"
    registration.add_webhook(stage, url=url, actor=Actor.operator(boss))
    for reference in ("stage/board", "stage/board@2"):
        aliases.point_alias("stage/plank", Reference.parse(reference), actor=Actor.operator(boss))
    tokens.issue_token(
        member, label="nightly", scopes=["publish"], pattern="stage", actor=Actor.operator(boss)
    )
    board = Tag.parse("stage/board")
    deprecation.deprecate(board, reason="too slow", actor=Actor.operator(boss))
    deprecation.undeprecate(board, reason="fast again", actor=Actor.operator(boss))
    paula = users.create_user("paula", actor=Actor.operator(boss))
    propose(paula, boss)
    guard(paula, boss, member)
    request_namespaces(paula, boss)
    for seen, text in enumerate((README.partition("## Long")[0], README)):
        readmes.write(stage, text=text, seen=seen, actor=Actor.operator(boss))


def guard(paula: Any, boss: Any, member: Any) -> None:
    """Create a namespace under four-eyes, with three changes that Paula requested."""
    from registry.domain.reference import Reference  # noqa: PLC0415 - after the setup
    from registry.models import Policy, Role  # noqa: PLC0415
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.namespaces import members, namespaces  # noqa: PLC0415
    from registry.services.tags import aliases  # noqa: PLC0415

    guarded = namespaces.create_namespace("guarded", actor=Actor.operator(boss))
    for owner in (boss, paula):
        members.grant_role(guarded, owner, Role.OWNER, actor=Actor.operator(boss))
    namespaces.set_policy(guarded, Policy.FOUR_EYES, actor=Actor(boss))
    aliases.point_alias("guarded/Plank,2", Reference.parse("stage/board@2"), actor=Actor(paula))
    namespaces.set_policy(guarded, Policy.MEMBERS, actor=Actor(paula))
    members.grant_role(guarded, member, Role.CURATOR, actor=Actor(paula))


def request_namespaces(paula: Any, boss: Any) -> None:
    """Create an open claim of Paula's, a request of the administrator's and a rejected one."""
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.namespaces import discussion, requests  # noqa: PLC0415
    from tests.requests import claim, request_namespace  # noqa: PLC0415

    claimed = claim("arm", paula)
    discussion.comment(claimed.pk, text="Which mailbox is yours?", actor=Actor.operator(boss))
    discussion.comment(
        claimed.pk, text=f"See https://example.org/{'long' * 40}", actor=Actor.operator(paula)
    )
    request_namespace("initech", boss)
    rejected = request_namespace("initrode", paula)
    requests.reject(rejected.pk, text="Their site names nobody.", actor=Actor.operator(boss))


def propose(paula: Any, boss: Any) -> None:
    """Create proposals in every state, and one for each warning that a reviewer can see."""
    from registry.domain.reference import Reference, Tag  # noqa: PLC0415 - after the setup
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.proposals import review, submission  # noqa: PLC0415
    from registry.services.versions import publishing, yanking  # noqa: PLC0415
    from ttag_rules.version_number import VersionNumber  # noqa: PLC0415

    first = VersionNumber.parse("1.0.0")

    def publish(tag: str, body: Any, base: VersionNumber | None = None) -> None:
        name, source = Tag.parse(tag), json.dumps(body)
        publishing.publish(
            name, source, message="Staged", actor=Actor.operator(boss), expected=base
        )

    def submit(tag: str, body: Any, base: VersionNumber | None = None) -> int:
        source, message = json.dumps(body), f"From the data sheet of {tag}"
        sources = ["https://example.org/sheet.pdf"]
        return submission.propose(
            Tag.parse(tag),
            source,
            message=message,
            sources=sources,
            base=base,
            actor=Actor.operator(paula),
        ).pk

    publish("stage/soc", BOARD)
    publish("stage/kit", {"tag": "stage/soc", "mcpu": "znver3"})
    publish("stage/base", BOARD | {"num-cores": 3})
    publish("stage/moved", BOARD | {"num-cores": 5})
    submit("stage/soc", BOARD | {"num-cores": 16}, first)
    for cores in (21, 22, 23):
        submit(f"stage/new-{cores}", BOARD | {"num-cores": cores})
    submit("stage/moved", BOARD | {"num-cores": 6}, first)
    publish("stage/moved", BOARD | {"num-cores": 7}, first)
    submit("stage/broken", {"tag": "stage/base@1", "num-cores": 8})
    publish("stage/base", BOARD | {"num-cores": 9}, first)
    yanking.yank(
        Reference.parse("stage/base@1.0.0"), reason="wrong cores", actor=Actor.operator(boss)
    )
    review.accept(
        submit("stage/taken", BOARD | {"num-cores": 24}), seen=1, actor=Actor.operator(boss)
    )
    review.request_changes(
        submit("stage/asked", BOARD | {"num-cores": 25}),
        seen=1,
        text="Why?",
        actor=Actor.operator(boss),
    )
    review.reject(
        submit("stage/left", BOARD | {"num-cores": 26}),
        seen=1,
        text="No.",
        actor=Actor.operator(boss),
    )
    review.withdraw(submit("stage/dropped", BOARD | {"num-cores": 27}), actor=Actor.operator(paula))
