"""What the admin shows in the browser's registry: an administrator, members, aliases, tokens.

`tests.web.browser.stage` prepares it with everything else.
"""

USERNAME = "boss"
PASSWORD = "correct horse battery staple"


def prepare() -> None:
    """A superuser, a member, an alias pointed twice, a token, a deprecation taken back."""
    from registry.domain.reference import Reference, Tag  # noqa: PLC0415 - after the setup
    from registry.models import Namespace, Role  # noqa: PLC0415
    from registry.services import accounts, naming, tokens, withdrawing  # noqa: PLC0415
    from registry.services.shipping import catalogue  # noqa: PLC0415

    actor = catalogue.account_of_catalogue()
    rights = accounts.Rights(is_staff=True, is_superuser=True)
    boss = accounts.make(USERNAME, password=PASSWORD, rights=rights, actor=actor)
    member = accounts.make("ci-bot", actor=boss, email="ci@example.org")
    stage = Namespace.objects.get(name="stage")
    naming.grant(stage, boss, Role.OWNER, actor=boss)
    naming.grant(stage, member, Role.MEMBER, actor=boss)
    for reference in ("stage/board", "stage/board@2"):
        naming.point_alias("stage/plank", Reference.parse(reference), actor=boss)
    tokens.issue(member, label="nightly", scopes=["publish"], pattern="stage", actor=boss)
    board = Tag.parse("stage/board")
    withdrawing.deprecate(board, reason="too slow", actor=boss)
    withdrawing.undeprecate(board, reason="fast again", actor=boss)
