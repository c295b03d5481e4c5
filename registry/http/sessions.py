"""Django's session engine: stores sessions in the database, within the limits of `services`."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY as ACCOUNT
from django.contrib.sessions.backends import db

from registry.models import Session
from registry.services.accounts import sessions

NETWORK = "network"  # key of the network that sent a stored form


class SessionStore(db.SessionStore):
    """The session of one browser. Visitors' sessions last an hour."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def get_expiry_age(self, **kwargs: Any) -> int:
        age: int = super().get_expiry_age(**kwargs)
        limit = sessions.VISITOR_LIFETIME.total_seconds()
        return age if self.get(ACCOUNT) else min(age, int(limit))

    def get_expiry_date(self, **kwargs: Any) -> Any:
        date = super().get_expiry_date(**kwargs)
        return date if self.get(ACCOUNT) else min(date, sessions.visitor_expiry())

    def create_model_instance(self, data: Any) -> Session:
        """Return the row of a session, with its account and size."""
        session: Any = super().create_model_instance(data)
        session.account_id = int(data[ACCOUNT]) if ACCOUNT in data else None
        session.network = "" if ACCOUNT in data else data.get(NETWORK, "")
        session.size = len(session.session_data) + sessions.ROW_SIZE
        stored: Session = session
        return stored

    def save(self, must_create: bool = False) -> None:
        """Save the session. A new session deletes expired ones, one of an account surplus ones."""
        if self.session_key is None:
            self.create()
            return
        super().save(must_create)
        if must_create:
            sessions.delete_expired()
        if account := self.get(ACCOUNT):
            sessions.end_surplus(int(account))
