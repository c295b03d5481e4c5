"""A mail server whose replies tests choose: it accepts, refuses, or keeps clients waiting."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Any

from tests.patience import PATIENCE


class MailServer:
    """The mails that a server has accepted, and how it replies."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.mails: list[EmailMessage] = []
        self.replies: dict[str, str] = {}  # other than 250, by command, or by command and address
        self.connections = 0
        self.goes_on = Event()  # when clear, clients wait for a reply to their mail
        self.goes_on.set()
        self.has_mail = Event()  # has been sent a mail, but not yet replied

    @property
    def url(self) -> str:
        """Return the address for EMAIL_URL."""
        return f"smtp://127.0.0.1:{self.port}"

    def message_ids(self) -> list[str]:
        """Return the Message-ID of each accepted mail."""
        return [str(mail["Message-ID"]) for mail in self.mails]


class _Connection(StreamRequestHandler):
    """A client of the mail server."""

    server: "_Listener"

    def handle(self) -> None:
        """Answer commands until the client leaves."""
        state = self.server.state
        state.connections += 1
        self._reply(state.replies.get("connect", "220 test"))
        while (line := self.rfile.readline()) and self._answer(line.decode().strip()):
            pass

    def _answer(self, line: str) -> bool:
        """Answer a command; return False for the last one."""
        command, _, rest = line.partition(" ")
        if command.upper() == "QUIT":
            self._reply("221 bye")
            return False
        if command.upper() == "DATA":
            return self._receive()
        address = rest.partition("<")[2].partition(">")[0]
        replies = self.server.state.replies
        reply = replies.get(command.upper(), "250 ok")
        self._reply(replies.get(f"{command.upper()} {address}", reply))
        return True

    def _receive(self) -> bool:
        """Receive a mail; return False if the connection is to end without a reply."""
        state = self.server.state
        self._reply("354 go on")
        lines: list[bytes] = []
        while (line := self.rfile.readline()) not in {b".\r\n", b""}:
            lines.append(line)
        state.has_mail.set()
        state.goes_on.wait(PATIENCE)
        reply = state.replies.get("DATA", "250 ok")
        if reply.startswith("250"):
            mail: Any = message_from_bytes(b"".join(lines), policy=policy.default)
            state.mails.append(mail)
        if reply == "hang up":
            return False
        self._reply(reply)
        return True

    def _reply(self, line: str) -> None:
        with suppress(OSError):  # the client has gone
            self.wfile.write(f"{line}\r\n".encode())


class _Listener(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64
    allow_reuse_address = True
    state: MailServer

    def handle_error(self, *_: Any) -> None:
        """Write nothing: clients that are killed are part of the tests."""


@contextmanager
def run_mail_server() -> Iterator[MailServer]:
    """Serve SMTP on loopback, in a thread for each client."""
    listener = _Listener(("127.0.0.1", 0), _Connection)
    server = listener.state = MailServer(listener.server_address[1])
    Thread(target=listener.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server
    finally:
        server.goes_on.set()
        listener.shutdown()
        listener.server_close()
