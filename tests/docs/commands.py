"""Run the shell commands of a document in order, and compare the output that it shows."""

import re
from io import StringIO

from django.core.management import call_command

from tests.docs import exchange, markdown

MANAGE = [".venv/bin/python", "manage.py"]


class Reader:
    """Runs commands with a token: one that is given, or the one that `bootstrap` prints."""

    def __init__(self, token: str = "") -> None:
        self.token = token
        self.count = 0

    def run_all(self, text: str) -> None:
        """Run every command of a document. A block of JSON or text after it is its output."""
        blocks = markdown.blocks(text)
        for block, next_block in zip(blocks, [*blocks[1:], markdown.Block("", "")], strict=True):
            if block.language == "sh":
                example = next_block.text if next_block.language in ("json", "text") else ""
                for command in exchange.split_commands(block.text):
                    self.run(command, example)

    def run(self, command: list[str], example: str) -> None:
        match command:
            case ["make", target]:
                assert re.search(rf"^{target}:", markdown.read_document("Makefile"), re.MULTILINE)
            case ["export", assignment]:
                assert assignment == "TOKEN=ttr_…"
            case ["curl", *words]:
                self.send(exchange.parse_curl(words), example)
            case [python, manage, *words]:
                assert [python, manage] == MANAGE
                self.manage(words, example)
        self.count += 1

    def send(self, request: exchange.Request, example: str) -> None:
        assert example, f"a response follows {request.path}"
        response = request.send(self.token)
        messages = exchange.body_differences(example, response)
        assert response.status_code < 300, request.path
        assert not messages, "\n".join([request.path, *messages])

    def manage(self, words: list[str], example: str) -> None:
        out = StringIO()
        call_command(*words, stdout=out)
        assert not list(
            exchange.value_differences(example.splitlines(), out.getvalue().splitlines())
        )
        self.token = re.findall(r"ttr_\S+", out.getvalue())[0]
