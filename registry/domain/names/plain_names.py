"""Names of tags without repetitions: `nvidia/a100` for `nvidia/nvidia-a100`."""

from __future__ import annotations


def plain_name(tag: str) -> str:
    """Return a name without a repeated namespace and without folders; empty if it has neither.

    `aws/trn1.2xlarge` for `aws/trn1/trn1.2xlarge`. Whether the tag has that alias is another
    question.
    """
    name, colon, variant = tag.partition(":")
    namespace = name.partition("/")[0]
    product = name.rpartition("/")[2].removeprefix(f"{namespace}-")
    plain = f"{namespace}/{product}{colon}{variant}"
    return plain if plain != tag else ""
