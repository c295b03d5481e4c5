"""Workers in several processes share the mail: each is sent by one of them, once."""

from itertools import chain

from tests.services.races.writer_pool import SIZE, WriterPool

MAILS = 40


def test_four_workers_send_each_mail_once(writers: WriterPool) -> None:
    (queued,) = writers.run({"job": "queue_mails", "number": MAILS})
    results = writers.run(*[{"job": "send_mails"}] * SIZE)
    sent = list(chain.from_iterable(result["sent"] for result in results))
    assert sorted(sent) == sorted(queued["queued"])
    assert len(sent) == MAILS
